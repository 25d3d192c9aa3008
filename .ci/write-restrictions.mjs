import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { layers, restrictions } from './restrictions.mjs'

/** @typedef {import('./restrictions.mjs').Restriction} Restriction */

const file = '.oxlintrc.restrictions.json'
const tests = ['**/*.test.ts', 'server/testing/**']

const foldersOf = (/** @type {Restriction} */ { in: folders }) => [folders].flat()
const contains = (/** @type {string} */ zone, /** @type {string} */ path) => path === zone || path.startsWith(`${zone}/`)

/** Returns one restriction for each folder of the layers: it must not import from the later ones. */
function layerRestrictions() {
  return layers.flatMap(({ in: parent, order: rows, types, all }) => {
    const order = rows.flat()
    const present = readdirSync(parent, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
    const wrong = all === true ? present.filter((name) => !order.includes(name)) : []
    wrong.push(...order.filter((name) => !present.includes(name)))
    if (wrong.length > 0) throw new Error(`the layers of ${parent} in .ci/restrictions.mjs and its folders differ: ${wrong.join(', ')}`)
    return order.slice(0, -1).map((name, at) => ({
      in: `${parent}/${name}`,
      imports: `^(\\.\\./)+(${order.slice(at + 1).join('|')})/`,
      ...(types && { types }),
      message: `${name} is a lower layer and cannot import this folder: see layers in .ci/restrictions.mjs.`,
    }))
  })
}

/** Returns the three rules with all restrictions that apply to a folder or file. */
function rulesOf(/** @type {Restriction[]} */ applied) {
  const patterns = applied.flatMap(({ imports, types, message }) =>
    imports === undefined
      ? []
      : [{ ...(Array.isArray(imports) ? { group: imports } : { regex: imports }), ...(types && { allowTypeImports: true }), message }],
  )
  const globals = applied.flatMap(({ globals: names = [], message }) => names.map((name) => ({ name, message })))
  const properties = applied.flatMap(({ properties: names = [], message }) =>
    names.map((name) => {
      const [property, object] = name.split('.').toReversed()
      return { ...(object !== undefined && { object }), property, message }
    }),
  )
  return {
    'no-restricted-imports': patterns.length === 0 ? 'off' : ['error', { patterns }],
    'no-restricted-globals': globals.length === 0 ? 'off' : ['error', { checkGlobalObject: true, globals }],
    'no-restricted-properties': properties.length === 0 ? 'off' : ['error', ...properties],
  }
}

/** Returns the rules that differ. */
function changed(/** @type {object} */ rules, /** @type {object} */ inherited) {
  const json = JSON.stringify
  return Object.fromEntries(Object.entries(rules).filter(([name, rule]) => json(rule) !== json(inherited[name])))
}

/**
 * Returns the overrides. The last override that matches a file replaces a rule of the earlier ones, so each contains all
 * restrictions of its folder, and those of parents come first.
 */
function overrides() {
  /** @type {Restriction[]} */
  const all = [...restrictions, ...layerRestrictions()]
  const zones = [...new Set(all.flatMap((each) => [...foldersOf(each), ...(each.except ?? [])]))]
  const sorted = zones.toSorted((a, b) => a.split('/').length - b.split('/').length || (a < b ? -1 : 1))
  const appliesTo = (/** @type {string} */ path) => (/** @type {Restriction} */ each) =>
    foldersOf(each).some((folder) => contains(folder, path)) && !(each.except ?? []).some((folder) => contains(folder, path))
  const globOf = (/** @type {string} */ path) => (/\.\w+$/.test(path) ? path : `${path}/**`)
  const ofTests = all.filter((each) => each.tests)
  const testZones = [...new Set(ofTests.flatMap(foldersOf))]
  return [
    ...sorted.flatMap((path) => {
      const parent = sorted.findLast((zone) => zone !== path && contains(zone, path))
      const inherited = parent === undefined ? rulesOf([]) : rulesOf(all.filter(appliesTo(parent)))
      const rules = changed(rulesOf(all.filter(appliesTo(path))), inherited)
      return Object.keys(rules).length === 0 ? [] : [{ files: [globOf(path)], rules }]
    }),
    { files: tests, rules: rulesOf([]) },
    ...testZones.map((path) => ({
      files: [`${path}/**/*.test.ts`],
      rules: changed(rulesOf(ofTests.filter(appliesTo(path))), rulesOf([])),
    })),
  ]
}

const lines = overrides().map((override) => JSON.stringify(override))
const written = `{"overrides":[\n${lines.join(',\n')}\n]}\n`

if (!process.argv.includes('--check')) {
  writeFileSync(file, written)
} else if (readFileSync(file, 'utf8') !== written) {
  console.error(`${file} does not match .ci/restrictions.mjs: run npm run restrictions and commit it`)
  process.exitCode = 1
}
