// Loaded into a process before anything else: whatever then opens a connection ends it, so that what it
// found out is known to come from its own files.
const { Socket } = require('node:net');

Socket.prototype.connect = function refuse(...args) {
  process.stderr.write(`The network was touched: ${JSON.stringify(args[0])}\n`);
  process.exit(70);
};
