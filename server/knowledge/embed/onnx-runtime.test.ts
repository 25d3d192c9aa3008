import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'

const inThread = (code: string): string => `
  import { Worker } from 'node:worker_threads'
  const code = \`import { register } from 'tsx/esm/api'; register(); ${code}\`
  new Worker(new URL('data:text/javascript,' + encodeURIComponent(code.replace('tsx/esm/api', import.meta.resolve('tsx/esm/api')))))
`
const module = new URL('onnx-runtime.ts', import.meta.url).href
const useRuntime = `
  const { loadOnnxRuntime } = await import('${module}')
  const { InferenceSession } = await loadOnnxRuntime()
  await InferenceSession.create(new Uint8Array()).catch(() => console.log('loaded'))
`

/** Runs a script in a process without settings; returns its output and the files that it left in its home folder. */
async function run(script: string): Promise<{ stdout: string; stderr: string; home: string[] }> {
  const home = await mkdtemp(join(tmpdir(), 'groundwork-home-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const words = ['--import', 'tsx', '--input-type=module', '--eval', script]
  const env = { PATH: process.env['PATH'], HOME: home }
  const { stdout, stderr } = await promisify(execFile)(process.execPath, words, { cwd: import.meta.dirname, env }).catch(
    (error: { stdout: string; stderr: string }) => error,
  )
  return { stdout, stderr, home: await readdir(home, { recursive: true }) }
}

test('the main thread loads the runtime with telemetry disabled', async () => {
  expect(await run(useRuntime)).toMatchObject({ stdout: 'loaded\n', home: [] })
})

test('a worker thread loads the runtime after the main thread disabled its telemetry', async () => {
  const disable = `const { disableOnnxTelemetry } = await import('${module}')\ndisableOnnxTelemetry()\n`
  expect(await run(`${disable}${inThread(useRuntime)}`)).toMatchObject({ stdout: 'loaded\n', home: [] })
})

test.each([
  ['nothing disabled its telemetry', ''],
  ['only the copy of the environment in the thread says so', `process.env['ORT_DISABLE_TELEMETRY'] = '1'`],
])('a worker thread does not load the runtime where %s', async (_case, before) => {
  const { stdout, stderr, home } = await run(inThread(`${before}\n${useRuntime}`))
  expect(stdout).toBe('')
  expect(stderr).toContain('onnxruntime-node would send telemetry')
  expect(home).toEqual([])
})
