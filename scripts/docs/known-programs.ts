/**
 * Lists third-party programs that the documentation calls, with the requirements of each that a test machine doesn't
 * meet.
 */

/** By program, the reason why the tests don't run its commands. */
export const otherPrograms: ReadonlyMap<string, string> = new Map([
  ['kubectl', 'a running node or a cluster; e2e/flow tests kubectl against the server'],
  ['docker', 'an image from a registry; apps/package/src/image tests both compose files in the long tier'],
  ['curl', 'a running server with a token; apps/server/src/debug tests the same requests'],
  ['run', 'the function that its page defines with curl'],
  ['run()', 'defines that function'],
  ['crictl', 'a CRI runtime and the program; packages/cri has the contract suite'],
  ['critest', 'a CRI runtime and the program; packages/cri has the contract suite'],
  ['code', 'a VS Code on the machine; e2e/web/integrations/vscode.spec.ts installs the extension into one'],
  ['git', 'a remote repository'],
  ['export', 'sets a variable of a shell'],
  ['timeout', 'calls a program that this list has'],
  ['xargs', 'calls a program that this list has'],
  ['ln', 'writes into the home directory'],
  ['sudo', 'root on the reader’s machine'],
  ['npm', 'a registry; the example project is tested from tarballs in the long tier'],
  ['jq', 'filters output, and may not be installed'],
  ['{', 'begins a group of commands'],
  ['cat', 'prints files of the reader'],
  ['echo', 'prints a line'],
  ['}', 'ends a function or a group'],
]);
