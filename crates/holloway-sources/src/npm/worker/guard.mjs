// What of this process may a tool touch? Not the line to Holloway, not the end of the
// process, and of the environment only what its own call was given.

import { syncBuiltinESMExports } from 'node:module';

/** Takes the line to Holloway out of reach; returns the two things the worker keeps. */
export function guard(context) {
  const stdout = process.stdout;
  const write = stdout.write.bind(stdout);
  const exit = process.exit.bind(process);
  redirect();
  process.exit = (code) => {
    throw new Error(`the tool tried to end its process (exit ${code ?? 0})`);
  };
  shareEnvironment(context);
  syncBuiltinESMExports();
  return {
    sendText: (message) => write(`\u001e${message}\n`),
    // Once what was said before has gone out.
    leave: (code) => write('', () => exit(code)),
  };
}

/** What tools print is for people: it goes to stderr, which is kept for error messages. */
function redirect() {
  const stderr = process.stderr;
  Object.defineProperty(process, 'stdout', { get: () => stderr, configurable: true });
  globalThis.console = new console.Console({ stdout: stderr, stderr });
}

/**
 * `process.env` is, in each call, what that call was given. Outside of calls it is empty:
 * secrets are gone when the call is, also for what a package left running.
 */
function shareEnvironment(context) {
  const outside = Object.create(null);
  const current = () => context.getStore()?.env ?? outside;
  const handler = {
    get: (_, name) => current()[name],
    set: (_, name, value) => {
      current()[name] = String(value);
      return true;
    },
    has: (_, name) => name in current(),
    deleteProperty: (_, name) => delete current()[name],
    ownKeys: () => Reflect.ownKeys(current()),
    getOwnPropertyDescriptor: (_, name) => {
      const found = Object.getOwnPropertyDescriptor(current(), name);
      return found && { ...found, configurable: true };
    },
    defineProperty: (_, name, descriptor) =>
      Reflect.defineProperty(current(), name, { ...descriptor, configurable: true }),
  };
  const environment = new Proxy(Object.create(null), handler);
  Object.defineProperty(process, 'env', { value: environment, configurable: true, enumerable: true });
}
