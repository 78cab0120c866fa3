// Exits with 0 if the server of this container is healthy: PODSCOPE_HEALTH_PORT, or 4400.
const port = process.env.PODSCOPE_HEALTH_PORT || '4400';
fetch(`http://127.0.0.1:${port}/healthz`).then(
  (response) => process.exit(response.ok ? 0 : 1),
  () => process.exit(1),
);
