import { execFile } from 'node:child_process'
import { access, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { root } from './program.ts'

const run = promisify(execFile)

interface Manifest {
  readonly name: string
  readonly scripts?: Readonly<Record<string, string>>
}

const readJson = async <T>(...path: string[]): Promise<T> => JSON.parse(await readFile(join(...path), 'utf8')) as T

/** Returns the manifests of all installed packages, also of those inside other packages. */
async function installed(): Promise<Manifest[]> {
  const files = await readdir(join(root, 'node_modules'), { recursive: true })
  const manifests = files.filter((file) => /(?:^|\/node_modules\/)(?:@[^/]+\/)?[^/@.][^/]*\/package\.json$/.test(`/node_modules/${file}`))
  return Promise.all(manifests.map((file) => readJson<Manifest>(root, 'node_modules', file)))
}

test('no dependency runs a script when it is installed', async () => {
  const { allowScripts } = await readJson<{ allowScripts: Record<string, boolean> }>(root, 'package.json')
  const { packages } = await readJson<{ packages: Record<string, { hasInstallScript?: boolean }> }>(root, 'package-lock.json')
  // npm runs the scripts of a package whose entry has this mark, and versions before 11.17 do not read `allowScripts`.
  const marked = Object.entries(packages).filter(([path, { hasInstallScript }]) => path !== '' && hasInstallScript === true)
  expect(marked.map(([path]) => path)).toEqual([])

  const events = ['preinstall', 'install', 'postinstall']
  const withScripts = (await installed()).filter(({ scripts }) => events.some((event) => scripts?.[event] !== undefined))
  expect(withScripts.map(({ name }) => name).filter((name) => allowScripts[name] !== false)).toEqual([])
})

test.runIf(process.platform === 'linux')('the installed packages take less than 600 MB', async () => {
  const { stdout } = await run('du', ['-sm', join(root, 'node_modules')])
  expect(Number.parseInt(stdout, 10), 'Did npm ci run scripts/prune.mjs?').toBeLessThan(600)
})

test('an installation keeps the files that are read, licenses, and the native parts of this machine', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'groundwork-prune-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await cp(join(root, 'scripts'), join(folder, 'scripts'), { recursive: true })
  await writeFile(join(folder, 'package.json'), '{ "workspaces": ["server", "cli"] }')
  const native = `bin/napi-v6/${process.platform}/${process.arch}/native.node`
  const kept = [
    `node_modules/onnxruntime-node/${native}`,
    'node_modules/a/index.js',
    'node_modules/a/index.d.ts',
    'node_modules/a/LICENSE.md',
    'node_modules/@a/b/package.json',
    'server/node_modules/c/index.js',
    'server/main.ts',
    'server/main.js.map',
  ]
  const removed = [
    'node_modules/onnxruntime-node/bin/napi-v6/elsewhere/x64/native.node',
    'node_modules/a/index.js.map',
    'node_modules/a/node_modules/d/src/index.ts',
    'node_modules/@a/b/README.md',
    'server/node_modules/c/index.js.map',
  ]
  for (const path of [...kept, ...removed]) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), '')
  }
  const exists = async (path: string): Promise<boolean> =>
    access(join(folder, path)).then(
      () => true,
      () => false,
    )
  for (let time = 1; time <= 2; time += 1) {
    await run(process.execPath, ['scripts/prune.mjs'], { cwd: folder })
    for (const path of kept) expect([path, await exists(path)]).toEqual([path, true])
    for (const path of removed) expect([path, await exists(path)]).toEqual([path, false])
  }
  expect(await exists('node_modules/a/node_modules/d')).toBe(false)
})
