import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { runsOn } from './platforms.mjs'

const root = realpathSync(join(import.meta.dirname, '../..'))

/** @typedef {{ name: string, version: string, from: string | null, to: string }} Packed `from` is null if it is not installed here */

/**
 * Returns the packages that the program needs on a platform: those reachable by dependencies, optional dependencies and required
 * peer dependencies from the workspaces, and the workspaces themselves, sorted by path.
 * @param {string[]} workspaces folders
 * @returns {Packed[]}
 */
export function packagesOf(workspaces, platform) {
  /** @type {Map<string, Packed>} */
  const found = new Map()
  const pending = workspaces.map((folder) => join(root, folder))
  for (const folder of pending) {
    const meta = readMeta(folder)
    if (found.has(folder)) continue
    found.set(folder, { name: meta.name, version: meta.version, from: folder, to: targetOf(folder) })
    for (const [name, isOptional] of neededBy(meta)) {
      const dependency = locate(name, folder)
      if (dependency !== undefined) {
        if (runsOn(platform, readMeta(dependency))) pending.push(dependency)
      } else if (isOptional) {
        const native = lockedPackage(name, platform)
        if (native !== undefined) found.set(name, native)
      } else throw new Error(`${meta.name} needs ${name}, which is not installed. Run: npm ci`)
    }
  }
  // oxlint-disable-next-line unicorn/no-array-sort -- a new array
  return [...found.values()].sort((one, other) => (one.to < other.to ? -1 : 1))
}

/** Returns the path of a package in the packaged program: the workspaces are packages like the others. */
function targetOf(folder) {
  const path = relative(root, folder)
  return path.startsWith('node_modules/') ? path : `node_modules/@groundwork/${path}`
}

/** Returns the names of needed packages, and whether the package also works without. */
function neededBy({ dependencies = {}, optionalDependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} }) {
  const needed = new Map(Object.keys(dependencies).map((name) => [name, false]))
  for (const name of Object.keys(peerDependencies)) if (!peerDependenciesMeta[name]?.optional) needed.set(name, false)
  for (const name of Object.keys(optionalDependencies)) needed.set(name, true)
  return needed
}

/** Returns the folder from which Node loads a package for a module in another folder; undefined if it is not installed. */
function locate(name, folder) {
  for (let at = folder; at.startsWith(root); at = dirname(at)) {
    const candidate = join(at, 'node_modules', name)
    if (existsSync(join(candidate, 'package.json'))) return realpathSync(candidate)
  }
  return undefined
}

/** Returns the native part of a package for a platform other than this machine's. */
function lockedPackage(name, platform) {
  const path = `node_modules/${name}`
  const locked = lock.packages[path]
  if (locked === undefined || !runsOn(platform, locked)) return undefined
  return { name, version: locked.version, from: null, to: path }
}

const readMeta = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
