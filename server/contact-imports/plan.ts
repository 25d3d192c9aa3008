import type { CreateContactImport } from '@groundwork/api'
import type { CustomFieldRow } from '../custom-fields/record.ts'
import type { StoredImportPlan } from '../db/schema.ts'
import { findErrorColumns, guessFields, looksLikeData } from './guess.ts'
import { storableCell } from './parse-row.ts'
import { guessFormat, ImportFileError, readRows, type ImportedFile } from './read-rows.ts'

export type ImportSettings = Omit<CreateContactImport, 'storageUrl'>

/** What the first reading of a file finds. */
export type ImportPlan = StoredImportPlan

const maxRows = 1_000_000
const sampledRows = 10
const maxSampleLength = 80

/**
 * Reads a file once, recognizes its format and columns, and counts its rows.
 * @throws ImportFileError
 */
export async function planImport(
  file: ImportedFile,
  settings: ImportSettings,
  customFields: readonly CustomFieldRow[],
): Promise<{ plan: ImportPlan; totalRows: number }> {
  const format = await guessFormat(file, { encoding: settings.encoding ?? null, delimiter: settings.delimiter ?? null })
  const beginning: (readonly string[])[] = []
  let rows = 0
  for await (const group of readRows(file, format)) {
    beginning.push(...group.slice(0, sampledRows + 1 - beginning.length).map(({ cells }) => cells))
    rows += group.length
    if (rows > maxRows) throw new ImportFileError('too_large', `The file has more than ${maxRows.toLocaleString('en')} rows.`)
  }
  const [first] = beginning
  if (first === undefined) throw new ImportFileError('empty_file', 'The file has no rows.')
  const names = customFields.map(({ id, name }) => ({ id: `fld_${id}`, name }))
  const guessed = guessFields(first, names)
  const header = settings.header ?? (guessed.some((field) => field !== null) || !looksLikeData(first))
  const columns = header ? first.map((cell) => cell.trim()) : first.map((_, index) => String(index + 1))
  const chosen = new Map((settings.mapping ?? []).map(({ column, field }) => [column, field]))
  for (const column of chosen.keys())
    if (!columns.includes(column))
      throw new ImportFileError('unknown_column', `The file has no column ${column}. Its columns: ${columns.slice(0, 50).join(', ')}`)
  // A mapping of a column that has the name of a column of errors is of the former alone.
  const ofErrors = findErrorColumns(columns)
  const others = new Set(columns.filter((_, index) => !ofErrors.has(index)))
  const mapping = columns.map((column, index) => {
    const isChosen = chosen.has(column) && !(ofErrors.has(index) && others.has(column))
    return { column, field: isChosen ? (chosen.get(column) ?? null) : header ? (guessed[index] ?? null) : null }
  })
  const samples = beginning.slice(header ? 1 : 0, sampledRows + (header ? 1 : 0)).map((cells) => cells.map(sampleOf))
  const plan = { ...format, header, mapping, ...(settings.dryRun && { samples }) }
  return { plan, totalRows: rows - (header ? 1 : 0) }
}

const sampleOf = (cell: string): string => storableCell(cell).trim().slice(0, maxSampleLength)

/** @throws ImportFileError if no column has a field */
export function requireKnownColumn({ mapping }: ImportPlan): void {
  if (mapping.every(({ field }) => field === null))
    throw new ImportFileError('no_known_column', 'No column of the file has a known header. Name the fields of the columns in mapping.')
}
