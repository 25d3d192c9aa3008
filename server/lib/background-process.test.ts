import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { packageFile } from './entry.ts'

test('a child process whose parent ends while it sends a message exits without an error', async () => {
  // The parent disconnects while the child sleeps, so the child sends before the disconnection is reported to it.
  const script = `
    import { parentProcess } from ${JSON.stringify(packageFile('lib/background-process.ts'))}
    const parent = parentProcess()
    parent.send('asleep')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
    parent.send('late')
    setTimeout(() => process.exit(7), 60_000)`
  const child = spawn(process.execPath, ['--conditions=source', '--import', 'tsx', '--input-type=module', '--eval', script], {
    cwd: packageFile('.'),
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  child.once('message', () => child.disconnect())
  // Node emits no event 'close' after the parent has disconnected.
  const [[code], errors] = await Promise.all([once(child, 'exit'), child.stderr === null ? null : text(child.stderr)])
  expect([code, errors]).toEqual([0, ''])
})
