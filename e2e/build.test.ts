import { execFile, spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test, vi } from 'vitest'
import { pause, root } from './program.ts'

// Every build starts a process.
vi.setConfig({ testTimeout: 240_000 })

/** Fakes of the compilers, which take half a minute: they copy the sources and log their arguments. */
const tsc = `#!/bin/sh
echo "tsc $*" >> log
[ -e broken ] && exit 2
for folder in api server sdk cli; do mkdir -p $folder/dist; cp $folder/*.ts $folder/dist/main.js; done
while [ -e slow ]; do sleep 0.1; done
`
const esbuild = `
import { appendFileSync, copyFileSync } from 'node:fs'
export async function build({ entryPoints, outdir }) {
  appendFileSync('log', 'esbuild\\n')
  const main = entryPoints.find((path) => path.endsWith('/main.ts'))
  copyFileSync(main, outdir + '/main.js')
}`
const vite = `#!/bin/sh
echo vite >> log
mkdir -p dashboard/dist; cp dashboard/*.ts dashboard/dist/main.js
`

interface Tree {
  readonly folder: string
  /** Runs the build; returns its exit code, its messages and the compilers that it called since the last time. */
  readonly build: () => Promise<{ code: number; stderr: string; calls: string[] }>
}

async function smallTree(): Promise<Tree> {
  const folder = await mkdtemp(join(tmpdir(), 'groundwork-build-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await cp(join(root, 'scripts'), join(folder, 'scripts'), { recursive: true })
  for (const name of ['api', 'server', 'sdk', 'cli', 'dashboard']) {
    await mkdir(join(folder, name))
    await writeFile(join(folder, name, 'main.ts'), `'${name}'`)
  }
  await mkdir(join(folder, 'node_modules/.bin'), { recursive: true })
  for (const [name, script] of Object.entries({ tsc, vite }))
    await writeFile(join(folder, 'node_modules/.bin', name), script, { mode: 0o755 })
  await mkdir(join(folder, 'node_modules/esbuild/lib'), { recursive: true })
  await writeFile(join(folder, 'node_modules/esbuild/package.json'), '{ "type": "module", "exports": "./lib/main.js" }')
  await writeFile(join(folder, 'node_modules/esbuild/lib/main.js'), esbuild)
  return {
    folder,
    async build() {
      await rm(join(folder, 'log'), { force: true })
      const ran = await promisify(execFile)(process.execPath, ['scripts/build.mjs'], { cwd: folder }).then(
        ({ stderr }) => ({ code: 0, stderr }),
        ({ code, stderr }: { code: number; stderr: string }) => ({ code, stderr }),
      )
      const log = await readFile(join(folder, 'log'), 'utf8').catch(() => '')
      return { ...ran, calls: log.split('\n').filter(Boolean) }
    },
  }
}

const everything = ['tsc -b api server sdk cli --force', 'esbuild', 'vite']

test('an up-to-date build is not repeated and needs no compiler', async () => {
  const { folder, build } = await smallTree()
  expect(await build()).toMatchObject({ code: 0, calls: everything })
  expect(await build()).toEqual({ code: 0, stderr: '', calls: [] })
  await rm(join(folder, 'node_modules'), { recursive: true })
  expect(await build()).toEqual({ code: 0, stderr: '', calls: [] })
})

test('a changed source is rebuilt despite an old modification time; a changed test is not', async () => {
  const { folder, build } = await smallTree()
  await build()
  const source = join(folder, 'server/main.ts')
  await writeFile(source, 'changed')
  await utimes(source, 0, 0)
  expect(await build()).toMatchObject({ calls: ['tsc -b api server sdk cli', 'esbuild'] })
  expect(await readFile(join(folder, 'server/dist/main.js'), 'utf8')).toBe('changed')
  await writeFile(join(folder, 'dashboard/main.ts'), 'changed')
  expect(await build()).toMatchObject({ calls: ['vite'] })
  await writeFile(join(folder, 'server/main.test.ts'), 'changed')
  expect(await build()).toMatchObject({ calls: [] })
})

test.each([
  ['changed', (file: string) => writeFile(file, 'something else')],
  ['removed', (file: string) => rm(file)],
])('output that was %s since the build is built from scratch', async (_what, change) => {
  const { folder, build } = await smallTree()
  await build()
  await change(join(folder, 'cli/dist/main.js'))
  expect(await build()).toMatchObject({ calls: ['tsc -b api server sdk cli --force', 'esbuild'] })
  expect(await build()).toMatchObject({ calls: [] })
})

test('without a compiler, a missing or outdated build does not run', async () => {
  const { folder, build } = await smallTree()
  await cp(join(folder, 'node_modules'), join(folder, 'compilers'), { recursive: true })
  await rm(join(folder, 'node_modules'), { recursive: true })
  expect(await build()).toMatchObject({ code: 1, stderr: expect.stringContaining('The program is not built') })
  await cp(join(folder, 'compilers'), join(folder, 'node_modules'), { recursive: true })
  await build()
  await rm(join(folder, 'node_modules'), { recursive: true })
  await writeFile(join(folder, 'server/main.ts'), 'changed')
  expect(await build()).toMatchObject({ code: 1, stderr: expect.stringContaining('The program was built from other sources') })
})

test('a failed compiler is called again by the next build', async () => {
  const { folder, build } = await smallTree()
  await writeFile(join(folder, 'broken'), '')
  expect(await build()).toMatchObject({ code: 1, stderr: expect.stringContaining('tsc failed with code 2') })
  await rm(join(folder, 'broken'))
  expect(await build()).toMatchObject({ code: 0, calls: everything })
})

test('a signal also ends the compiler', async () => {
  const { folder, build } = await smallTree()
  await writeFile(join(folder, 'slow'), '')
  const child = spawn(process.execPath, ['scripts/build.mjs'], { cwd: folder, stdio: 'ignore' })
  const ended = new Promise((done) => child.once('exit', (_code, signal) => done(signal)))
  while (!(await readFile(join(folder, 'cli/dist/main.js'), 'utf8').catch(() => undefined))) await pause(20)
  child.kill('SIGTERM')
  expect(await ended).toBe('SIGTERM')
  await rm(join(folder, 'slow'))
  expect(await build()).toMatchObject({ code: 0, calls: everything })
})
