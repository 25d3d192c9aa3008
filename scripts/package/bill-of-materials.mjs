import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Returns a bill of materials in CycloneDX 1.6 (JSON) of exactly the packages in an archive.
 * @param {import('./dependencies.mjs').Packed[]} packed
 */
export function billOfMaterials(packed, { version, license }) {
  const components = packed
    .filter(({ name }) => !name.startsWith('@groundwork/'))
    .map(({ name, version: exact, from }) => {
      const licenses = from === null ? [] : licensesOf(JSON.parse(readFileSync(join(from, 'package.json'), 'utf8')))
      return { type: 'library', name, version: exact, purl: purlOf(name, exact), 'bom-ref': purlOf(name, exact), licenses }
    })
  const distinct = [...new Map(components.map((component) => [component.purl, component])).values()]
  const component = { type: 'application', name: 'groundwork', version, licenses: [{ license: { id: license } }] }
  return `${JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, metadata: { component }, components: distinct }, null, 1)}\n`
}

const purlOf = (name, version) => `pkg:npm/${name.replace('@', '%40')}@${version}`

/** Older packages name their licenses in a list, or only contain the text. */
function licensesOf({ license, licenses }) {
  const names = typeof license === 'string' ? [license] : [licenses ?? []].flat().map((one) => one.type ?? one)
  if (names.length === 0) return [{ license: { name: 'see the LICENSE file of the package' } }]
  return names.map((name) => (/ (?:AND|OR|WITH) /.test(name) ? { expression: name } : { license: { name } }))
}
