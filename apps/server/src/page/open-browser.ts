/** Opens an address in the browser with a command of the desktop environment. */
import { spawn } from 'node:child_process';

const commands: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/** Opens the address in the browser. Calls `onFailure` if the browser can't be started. */
export function openBrowser(url: string, onFailure: (message: string) => void): void {
  const [command, ...args] = commands[process.platform] ?? ['xdg-open'];
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
  child.on('error', (error) =>
    onFailure(`The browser could not be opened (${error.message}): open the address above.`),
  );
  child.unref();
}
