// Measures the project's prose against docs/glossary.md. Usage: node .ci/check-language.mjs [--list AREA]
//
// Counts the words what, who, whoever, whom and whatever per 1,000 words of documentation, comments, error messages and
// dashboard texts: sentences built on such clauses are the ones that readers stumble over. Also reports each term from the
// glossary's "Instead of" column that occurs as a file name, an exported symbol, in the documentation or in the dashboard.
// Also reports British spellings; `cancelled` and `neighbours` are names of the API, and stay.
// Exits with 1 when a rate exceeds the limit, or when a replaced term or a British spelling occurs.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'

const limitPerThousand = 3
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter(Boolean)
const generated = [
  'sdk/contract.ts',
  'sdk/routes.ts',
  'api/openapi.json',
  'server/knowledge/index/kernel/kernel.wasm.ts',
  'package-lock.json',
]
const own = files.filter((file) => !generated.includes(file) && !file.startsWith('examples/'))
const read = (file) => readFileSync(file, 'utf8')

const markdownProse = (text) =>
  text
    .replace(/```[\s\S]*?```/g, '')
    .replace(/`[^`\n]*`/g, '')
    .replace(/\]\([^)]*\)/g, ']')
const comments = (text) =>
  [...text.matchAll(/\/\*\*?[\s\S]*?\*\/|(?<=^|\s)\/\/ .*$/gm)].map(([comment]) => comment.replace(/`[^`\n]*`/g, ''))
const sqlComments = (text) => [...text.matchAll(/--.*$/gm)].map(([comment]) => comment)
const errorMessages = (text) =>
  [...text.matchAll(/new (?:\w*Error)\(\s*(?:'[a-z_]+',\s*)?(?:'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`)/g)].map(([, plain, template]) =>
    (plain ?? template ?? '').replace(/\$\{[^}]*\}/g, ''),
  )
const strings = (text) =>
  [...text.matchAll(/'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g)].map(([, plain, template]) => plain ?? template ?? '')

const code = own.filter((file) => /\.(?:ts|tsx|mjs)$/.test(file))
const isDocument = (file) =>
  /^(?:docs\/.*|README|CONTRIBUTING|CHANGELOG|SECURITY|(?:bench|dashboard)\/\w+)\.md$|^(?:README|CONTRIBUTING)\.md$/.test(file)
const documents = own.filter((file) => isDocument(file) && file.endsWith('.md') && file !== 'docs/glossary.md')
const messages = own.filter((file) =>
  /^dashboard\/.*\/(?:messages|words)(?:\/\w+)?\.ts$|^dashboard\/.*\/(?:messages|words)\.ts$/.test(file),
)
const migrations = own.filter((file) => file.endsWith('.sql'))

const areas = {
  documentation: documents.flatMap((file) =>
    markdownProse(read(file))
      .split('\n')
      .map((line) => [file, line]),
  ),
  comments: [
    ...code.flatMap((file) => comments(read(file)).map((line) => [file, line])),
    ...migrations.flatMap((file) => sqlComments(read(file)).map((line) => [file, line])),
  ],
  'error messages': code.flatMap((file) => errorMessages(read(file)).map((line) => [file, line])),
  'dashboard texts': messages.flatMap((file) => strings(read(file)).map((line) => [file, line])),
}
const clause = /\b(?:what|who|whoever|whom|whatever)\b/gi
const words = /[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu

let failed = false
const listed = process.argv[2] === '--list' ? process.argv[3] : undefined
for (const [area, lines] of Object.entries(areas)) {
  const total = lines.reduce((sum, [, line]) => sum + (line.match(words) ?? []).length, 0)
  const found = lines.filter(([, line]) => clause.test(((clause.lastIndex = 0), line)))
  const count = found.reduce((sum, [, line]) => sum + (line.match(clause) ?? []).length, 0)
  const rate = total === 0 ? 0 : (1000 * count) / total
  failed ||= rate > limitPerThousand
  console.log(`${area}: ${count} in ${total} words, ${rate.toFixed(1)} per 1,000 (limit ${limitPerThousand})`)
  if (listed === area) for (const [file, line] of found) console.log(`  ${file}: ${line.replace(/\s*\n\s*\*?\s*/g, ' ').trim()}`)
}

/** The backticked terms of the glossary's last column. */
const replaced = read('docs/glossary.md')
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .flatMap((line) => [...(line.split('|').at(-2) ?? '').matchAll(/`([^`]+)`/g)].map(([, term]) => term))
const occurrences = []
for (const term of replaced) {
  const isSuffixed = term.endsWith('…')
  const name = isSuffixed ? term.slice(0, -1) : term
  const kebab = name.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase()
  const symbol = new RegExp(`^export (?:async )?(?:function|const|class|interface|type) (${name}${isSuffixed ? '[A-Z]\\w*' : '\\b'})`, 'm')
  for (const file of own) if (basename(file).replace(/\..*/, '') === kebab) occurrences.push(`replaced term: file name ${file}`)
  for (const file of code)
    if (symbol.test(read(file))) occurrences.push(`replaced term: exported symbol ${symbol.exec(read(file))?.[1]} in ${file}`)
  if (isSuffixed) continue
  const word = new RegExp(`\\b${name}\\b`, 'i')
  for (const [file, line] of [...areas.documentation, ...areas['dashboard texts']])
    if (word.test(line)) occurrences.push(`replaced term: "${term}" in ${file}: ${line.trim().slice(0, 120)}`)
}
const british =
  /\b(?:behaviour|catalogue|centre|colour|favour|flavour|grey|honour|labelled|licence|modelled|programme)s?\b|\banalys(?:ed?|ing)\b|\b(?:author|character|custom|emphas|final|initial|maxim|minim|normal|optim|organ|prior|recogn|serial|summar)is(?:e[ds]?|ing|ations?)\b/i

// Migrations may not be changed.
for (const [file, line] of Object.values(areas).flat())
  if (!file.endsWith('.sql') && british.test(line)) occurrences.push(`British spelling in ${file}: ${line.trim().slice(0, 120)}`)
for (const occurrence of new Set(occurrences)) console.log(occurrence)
failed ||= occurrences.length > 0
process.exit(failed ? 1 : 0)
