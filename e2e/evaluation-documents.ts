import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from './program.ts'

const given = process.env['EVALUATION_DATA']

/** The evaluation data, with real documents of every type and their expected results. It is not part of the repository. */
export const evaluationFolder = given ?? join(root, '../shared/eval')
export const evaluationDocuments = join(evaluationFolder, 'docs')

/** True if tests read the evaluation data: EVALUATION_DATA names its folder, as in `npm run test:full`. */
export const withEvaluationData = given !== undefined

/** Folders of documents with a manifest: small generated documents of every type, and the evaluation data. */
export const documentFolders = [join(root, 'e2e/documents'), ...(withEvaluationData ? [evaluationDocuments] : [])]

export interface EvaluationDocument {
  /** Relative to the folder. */
  readonly path: string
  readonly kind: string
  /** `completed`, or the accepted error codes. */
  readonly outcomes: readonly string[]
}

const failures: Readonly<Record<string, readonly string[]>> = {
  corrupt: ['corrupt_file'],
  'too-large': ['too_large'],
  empty: ['empty_content'],
  encrypted: ['encrypted_file'],
  'type-mismatch': ['unsupported_type'],
  'unsupported-type': ['unsupported_type'],
  'corrupt-or-text-without-entity': ['corrupt_file', 'completed'],
}

export function readManifest(folder: string): EvaluationDocument[] {
  const [, ...lines] = readFileSync(join(folder, 'MANIFEST.tsv'), 'utf8').trim().split('\n')
  return lines.map((line) => {
    const [path = '', kind = '', , , , , expected = ''] = line.split('\t')
    return { path, kind, outcomes: outcomesOf(expected) }
  })
}

function outcomesOf(expected: string): readonly string[] {
  const failure = /^expect-error:(.*)$/.exec(expected)?.[1]
  if (failure !== undefined) return failures[failure] ?? []
  return expected === 'expect-text-or-error' ? ['completed', 'corrupt_file', 'too_large', 'unsupported_type'] : ['completed']
}

export interface Scores {
  /** Mean recall of all documents with an expected text. */
  readonly recall: number
  readonly precision: number
  /** Mean recall and precision of words by document type. */
  readonly kinds: ReadonlyMap<string, { readonly documents: number; readonly recall: number; readonly precision: number }>
  /** By document, `passed/total` of the phrases that its text must or must not contain. */
  readonly checks: ReadonlyMap<string, string>
  /** The output of the tool, one line per document. */
  readonly table: string
}

/** Scores a folder of extracted texts with the tool of the evaluation data. File names are those of `outputName`. */
export async function scoreTexts(folder: string): Promise<Scores> {
  const { stdout: table } = await promisify(execFile)('python3', [join(evaluationFolder, 'bin/extract_eval.py'), folder])
  const lines = table.split('\n').map((line) => line.split('\t'))
  const kinds = lines.flatMap(([kind = '', count = '', recall = '', precision = '']) =>
    kind.startsWith('# ') && count.startsWith('n=')
      ? [[kind.slice(2), { documents: numberIn(count), recall: numberIn(recall), precision: numberIn(precision) }] as const]
      : [],
  )
  const checks = lines.flatMap(([path = '', , , , , , held = '']) => (/^\d+\/\d+$/.test(held) ? [[path, held] as const] : []))
  const scored = lines.filter(([, , , recall = '', precision = '']) => /^[\d.]+$/.test(recall) && /^[\d.]+$/.test(precision))
  const mean = (column: number): number => scored.reduce((sum, cells) => sum + Number(cells[column]), 0) / scored.length
  return { recall: mean(3), precision: mean(4), kinds: new Map(kinds), checks: new Map(checks), table }
}

export function outputName(path: string): string {
  return `${path.replaceAll('/', '__')}.txt`
}

function numberIn(cell: string): number {
  return Number(/[\d.]+/.exec(cell)?.[0])
}
