import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from './program.ts'

/** Real documents of every kind that lie beside the repository, with what is to come of each. */
export const evaluationFolder = join(root, '../shared/eval')
export const evaluationDocuments = join(evaluationFolder, 'docs')
export const haveEvaluation = existsSync(evaluationDocuments)

export interface EvaluationDocument {
  /** Below `evaluationDocuments`. */
  readonly path: string
  readonly kind: string
  /** `completed`, or the error codes that are right; more than one where the manifest leaves it open. */
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

export function readManifest(): EvaluationDocument[] {
  const [, ...lines] = readFileSync(join(evaluationDocuments, 'MANIFEST.tsv'), 'utf8').trim().split('\n')
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
  /** Mean of all documents with an expected text. */
  readonly recall: number
  readonly precision: number
  /** Mean share of the expected words that are found, and of the found words that are expected, by kind. */
  readonly kinds: ReadonlyMap<string, { readonly documents: number; readonly recall: number; readonly precision: number }>
  /** Documents, with `held/all` of the phrases that must or must not stand in them. */
  readonly checks: ReadonlyMap<string, string>
  /** As the tool prints it, a line for each document. */
  readonly table: string
}

/** Scores a folder of extracted texts, named by `outputName`, with the evaluation's own tool. */
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
