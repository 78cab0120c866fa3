import { describe, expect, it } from 'vitest';
import { isRequiredCall, requiredCalls } from './required-calls.ts';

it('lists every request of dockershim once', () => {
  expect(requiredCalls.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /_ping',
    'POST /containers/create',
    'GET /containers/json',
    'DELETE /containers/{id}',
    'GET /containers/{id}/archive',
    'POST /containers/{id}/attach',
    'POST /containers/{id}/exec',
    'GET /containers/{id}/json',
    'GET /containers/{id}/logs',
    'POST /containers/{id}/resize',
    'POST /containers/{id}/start',
    'GET /containers/{id}/stats',
    'POST /containers/{id}/stop',
    'POST /containers/{id}/update',
    'GET /events',
    'GET /exec/{id}/json',
    'POST /exec/{id}/resize',
    'POST /exec/{id}/start',
    'POST /images/create',
    'GET /images/json',
    'DELETE /images/{reference}',
    'GET /images/{reference}/json',
    'GET /info',
    'GET /system/df',
    'GET /version',
  ]);
});

describe('isRequiredCall', () => {
  it.each([
    ['HEAD', '/_ping'],
    ['GET', '/v1.41/containers/4f2a/json'],
    ['DELETE', '/v1.41/containers/k8s_app_web_default_8640-1_0'],
    ['GET', '/images/registry.example.com:5000/shop/web@sha256:12ab/json'],
    ['POST', '/v1.24/exec/4f2a/start'],
  ])('accepts %s %s', (method, path) => {
    expect(isRequiredCall(method, path)).toBe(true);
  });

  it.each([
    ['POST', '/v1.41/containers/4f2a/kill'],
    ['PUT', '/v1.41/containers/4f2a/archive'],
    ['POST', '/v1.41/build'],
    ['GET', '/v1.41/volumes'],
    ['POST', '/v1.41/swarm/init'],
    ['GET', '/v1.41/secrets'],
    ['POST', '/v1.41/containers/../build'],
    ['GET', '/v1.41/images/../secrets/json'],
    ['GET', '/v1.41/images/web/../../secrets/json'],
    ['POST', '/v1.41/containers/create/x'],
    ['GET', '/v1.41/x/version'],
  ])('rejects %s %s', (method, path) => {
    expect(isRequiredCall(method, path)).toBe(false);
  });
});
