#!/usr/bin/env node
// Starts Podscope, or prints one line on a version of Node that is too old. This file runs on any version of Node.
var supported = /^v(\d+)\.(\d+)/.exec(process.version);
if (Number(supported[1]) < 22 || (supported[1] === '22' && Number(supported[2]) < 13)) {
  console.error('podscope: Node ' + process.version + ' is not supported: install Node 22.13 or newer');
  process.exit(1);
}
// Node 22 warns that its SQLite is experimental; Podscope uses only what stayed the same.
var emitWarning = process.emitWarning.bind(process);
process.emitWarning = function (warning) {
  if (String(warning).indexOf('SQLite is an experimental feature') < 0) emitWarning.apply(undefined, arguments);
};
require('module').enableCompileCache();
void import('../dist/podscope.js');
