/**
 * Encodes the outcome of a command for the error stream. Upstream: the v4 status writer (kubelet remotecommand, v1.36).
 */

/** The outcome: success, an exit code, or a failure to run the command. */
export type Outcome = { readonly exitCode: number } | { readonly failure: string };

interface Cause {
  readonly reason?: string;
  readonly message: string;
}

interface Status {
  readonly metadata: Readonly<Record<string, never>>;
  readonly status: 'Success' | 'Failure';
  readonly message?: string;
  readonly reason?: string;
  readonly details?: { readonly causes?: readonly Cause[] };
  readonly code?: number;
}

const exitText = (exitCode: number): string => `command terminated with non-zero exit code: exit status ${exitCode}`;

function statusOf(outcome: Outcome): Status {
  if ('failure' in outcome) {
    const message = `Internal error occurred: ${outcome.failure}`;
    return {
      metadata: {},
      status: 'Failure',
      message,
      reason: 'InternalError',
      details: { causes: [{ message: outcome.failure }] },
      code: 500,
    };
  }
  if (outcome.exitCode === 0) return { metadata: {}, status: 'Success' };
  const causes = [{ reason: 'ExitCode', message: String(outcome.exitCode) }];
  return {
    metadata: {},
    status: 'Failure',
    message: exitText(outcome.exitCode),
    reason: 'NonZeroExitCode',
    details: { causes },
  };
}

/** Returns the bytes for the error stream; undefined for success in older protocols. */
export function encodeOutcome(outcome: Outcome, asJson: boolean): Buffer | undefined {
  if (asJson) return Buffer.from(JSON.stringify(statusOf(outcome)));
  if ('failure' in outcome) return Buffer.from(outcome.failure);
  return outcome.exitCode === 0 ? undefined : Buffer.from(exitText(outcome.exitCode));
}
