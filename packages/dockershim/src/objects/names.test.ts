import { describe, expect, it } from 'vitest';
import { makeContainerName, makeSandboxName, parseContainerName, parseSandboxName, randomizeName } from './names.ts';

const pod = { name: 'web-0', namespace: 'prod', uid: 'b49b3381-0000-4000-8000-000000000001', attempt: 0 };

describe('names', () => {
  it("have dockershim's format and can be parsed", () => {
    expect(makeSandboxName(pod)).toBe(`k8s_POD_web-0_prod_${pod.uid}_0`);
    expect(makeContainerName(pod, { name: 'web', attempt: 2 })).toBe(`k8s_web_web-0_prod_${pod.uid}_2`);
    expect(parseSandboxName(`/${makeSandboxName(pod)}`)).toEqual(pod);
    expect(parseContainerName(randomizeName(makeContainerName(pod, { name: 'web', attempt: 2 })))).toEqual({
      name: 'web',
      attempt: 2,
    });
  });

  it.each([
    ['/nginx', 'failed to parse the sandbox name: "nginx"'],
    ['k8s_POD_a_b_c_0_d_e', 'failed to parse the sandbox name: "k8s_POD_a_b_c_0_d_e"'],
    ['x_POD_a_b_c_0', 'container is not managed by kubernetes: "x_POD_a_b_c_0"'],
    [
      'k8s_POD_a_b_c_-1',
      'failed to parse the sandbox name "k8s_POD_a_b_c_-1": strconv.ParseUint: parsing "-1": invalid syntax',
    ],
    [
      'k8s_POD_a_b_c_4294967296',
      'failed to parse the sandbox name "k8s_POD_a_b_c_4294967296": strconv.ParseUint: parsing "4294967296": ' +
        'value out of range',
    ],
  ])('rejects a foreign name: %s', (name, message) => {
    expect(() => parseSandboxName(name)).toThrow(message);
  });
});
