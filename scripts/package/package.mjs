// Packages the program with all its dependencies. Usage: npm run package [-- --platform linux-x64]
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from '../compile.mjs'
import { hasAllPlatforms } from '../needed.mjs'
import { billOfMaterials } from './bill-of-materials.mjs'
import { packagesOf } from './dependencies.mjs'
import { platforms, thisPlatform } from './platforms.mjs'
import { isShipped } from './shipped.mjs'

const root = join(import.meta.dirname, '../..')
const serverFolder = 'program/node_modules/@groundwork/server'
const { platform } = parseArgs({ options: { platform: { type: 'string', default: thisPlatform } } }).values
if (!platforms.includes(platform)) throw new Error(`There is no package for ${platform}, only for ${platforms.join(', ')}.`)

await build('program', 'dashboard')
const { version, description, license, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const output = join(root, 'dist/packages')
const staging = mkdtempSync(join(tmpdir(), 'groundwork-package-'))
try {
  mkdirSync(output, { recursive: true })
  const folder = join(staging, 'package')
  const packed = packagesOf(['api', 'sdk', 'server', 'cli'], platform)
  const bytes = stage(packed, join(folder, 'program'))
  cpSync(join(root, 'dashboard/dist'), join(folder, 'program/node_modules/@groundwork/dashboard/dist'), { recursive: true })
  copyGuides(join(folder, 'program/node_modules/@groundwork'))
  execFileSync(process.execPath, [join(root, 'server/dist/db/packaged-database-child.js'), join(folder, serverFolder, 'new-database.zip')])
  writeProgram(folder)
  const name = `groundwork-${version}-${platform}`
  writeFileSync(join(folder, 'sbom.json'), billOfMaterials(packed, { version, license }))
  // npm installs the one; the other also contains Node and is only unpacked.
  const made = [archive(folder, join(output, `${name}.tgz`))]
  if (platform === thisPlatform) made.push(archive(withNode(folder, name), join(output, `${name}.tar.gz`)))
  copyFileSync(join(folder, 'sbom.json'), join(output, `${name}.sbom.json`))
  made.push(join(output, `${name}.sbom.json`))
  writeFileSync(join(output, `${name}.sha256`), made.map((file) => `${sha256(file)}  ${relative(output, file)}\n`).join(''))
  process.stdout.write(`${packed.length} packages, ${Math.round(bytes / 1e6)} MB without Node\n${made.join('\n')}\n`)
} finally {
  rmSync(staging, { recursive: true, force: true })
}

/** Copies what the packages need at run time. Returns the number of bytes. */
function stage(packed, program) {
  let bytes = 0
  for (const { name, version: exact, from, to } of packed) {
    const isInstalled = from !== null && (platform === thisPlatform || !hasAllPlatforms(name))
    const source = isInstalled ? from : download(`${name}@${exact}`)
    for (const path of filesOf(source)) {
      if (!isShipped(name, path, platform)) continue
      const target = join(program, to, path)
      mkdirSync(dirname(target), { recursive: true })
      copyFileSync(join(source, path), target)
      bytes += readFileSync(target).length
    }
  }
  return bytes
}

/** Returns the paths of the files of a package, without those of packages inside it. */
function filesOf(folder, within = '') {
  return readdirSync(join(folder, within), { withFileTypes: true }).flatMap((entry) => {
    const path = within === '' ? entry.name : `${within}/${entry.name}`
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesOf(folder, path)
    return entry.isFile() ? [path] : []
  })
}

/** Downloads a package for another platform from the configured registry; npm checks its integrity. Returns its folder. */
function download(spec) {
  const folder = mkdtempSync(join(staging, 'download-'))
  const [{ filename }] = JSON.parse(execFileSync('npm', ['pack', spec, '--json', '--pack-destination', folder], { encoding: 'utf8' }))
  execFileSync('tar', ['-xzf', join(folder, filename), '-C', folder])
  return join(folder, 'package')
}

/** Copies the guides that the program serves, as they are in the repository. */
function copyGuides(target) {
  for (const path of ['README.md', 'docs', 'sdk/README.md']) cpSync(join(root, path), join(target, path), { recursive: true })
}

function writeProgram(folder) {
  const [os, cpu] = platform.split('-')
  const meta = {
    name: 'groundwork',
    version,
    description,
    license,
    type: 'module',
    bin: { groundwork: 'bin/groundwork.js' },
    engines,
    os: [os],
    cpu: [cpu],
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(meta, null, 2)}\n`)
  writeFileSync(join(folder, 'program/package.json'), '{ "private": true, "type": "module" }\n')
  mkdirSync(join(folder, 'bin'), { recursive: true })
  copyFileSync(join(import.meta.dirname, 'groundwork.js'), join(folder, 'bin/groundwork.js'))
  chmodSync(join(folder, 'bin/groundwork.js'), 0o755)
  for (const file of ['LICENSE', 'README.md', 'CHANGELOG.md'])
    if (existsSync(join(root, file))) copyFileSync(join(root, file), join(folder, file))
}

/** Adds Node and a command that runs the program with it. Returns the folder, named like the archive. */
function withNode(folder, name) {
  const unpacked = join(staging, name)
  cpSync(folder, unpacked, { recursive: true })
  copyFileSync(process.execPath, join(unpacked, 'bin/node'))
  const command =
    '#!/bin/sh\n# Runs Groundwork with the Node beside this file.\nhere=$(dirname "$(readlink -f "$0")")\nexec "$here/node" "$here/groundwork.js" "$@"\n'
  writeFileSync(join(unpacked, 'bin/groundwork'), command, { mode: 0o755 })
  return unpacked
}

/** The same content gives the same archive. */
function archive(folder, file) {
  const same = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner']
  execFileSync('tar', [...same, '-czf', file, '-C', dirname(folder), relative(dirname(folder), folder)])
  return file
}

function sha256(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}
