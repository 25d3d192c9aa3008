import { Unzip, UnzipInflate, type UnzipFile } from 'fflate'
import { Parser } from 'htmlparser2'
import { maxCellLength, maxColumns, maxRowLength, TableError, type TableRow } from './csv-reader.ts'
import { dayOfSerial } from './serial-days.ts'

/** Bytes that the parts of a workbook may have together. An archive can unpack to a thousand times its size. */
const maxUnpackedBytes = 1_000_000_000
/** Sheets have a fifth to a fiftieth of their size; only made-up ones have less than a two-hundredth. */
const maxRatio = 200
const minSuspectBytes = 50_000_000
/** Bytes of the part with the shared texts, with its tags. */
const maxSharedPartBytes = 300_000_000
/** Bytes of each other part without rows. Excel keeps at most 65,490 styles of cells, of a few hundred bytes each. */
const maxPartBytes = 50_000_000
/** Bytes of all shared texts, which are kept in memory. */
const maxSharedBytes = 100_000_000
/** Bytes of a text in memory beside its characters. */
const textOverheadBytes = 24
/** Characters of a tag or a comment, which the XML parser keeps until it ends. */
const maxTagLength = 1_000_000
/** Bytes of the archive that are unpacked at a time: at most a thousand times as many at once. */
const inputBytes = 4096

interface Workbook {
  readonly sharedStrings: string[]
  /** For each cell style, whether it shows a day or a time. */
  readonly dateStyles: boolean[]
  readonly date1904: boolean
  /** Name of the part with the first sheet. */
  readonly firstSheet: string
}

/**
 * Yields the rows of the first sheet of a workbook in groups. Days are `YYYY-MM-DD`, formulas their last result.
 * @param open opens the file, which is read twice: texts come after the sheet
 * @throws TableError
 */
export async function* xlsxRows(open: () => Promise<AsyncIterable<Uint8Array>>): AsyncGenerator<TableRow[]> {
  const workbook = await readWorkbook(open)
  let rows: TableRow[] = []
  const sheet = sheetParser(workbook, (row) => rows.push(row))
  const part: Part = { maxBytes: maxUnpackedBytes, write: (text) => sheet.write(text) }
  for await (const _ of unpacked(await open(), (name) => (name === workbook.firstSheet ? part : undefined))) {
    if (rows.length > 0) yield rows
    rows = []
  }
}

async function readWorkbook(open: () => Promise<AsyncIterable<Uint8Array>>): Promise<Workbook> {
  const sharedStrings: string[] = []
  const sheets: string[] = []
  const styles = styleReader()
  let sharedBytes = 0
  let date1904 = false
  let firstRelation: string | undefined
  const relations = new Map<string, string>()
  const shared = sharedStringParser((text) => {
    sharedBytes += text.length + textOverheadBytes
    if (sharedBytes > maxSharedBytes) throw new TableError('The workbook has too much text. Save it as CSV.')
    sharedStrings.push(text)
  })
  const book = xmlParser({
    open(name, attributes) {
      if (name === 'workbookPr') date1904 = attributes['date1904'] === '1' || attributes['date1904'] === 'true'
      if (name === 'sheet') firstRelation ??= attributes['r:id']
    },
  })
  const links = xmlParser({
    open(name, attributes) {
      if (name === 'Relationship') relations.set(attributes['Id'] ?? '', attributes['Target'] ?? '')
    },
  })
  const parts = new Map<string, Part>([
    ['xl/workbook.xml', { maxBytes: maxPartBytes, write: (text) => book.write(text) }],
    ['xl/_rels/workbook.xml.rels', { maxBytes: maxPartBytes, write: (text) => links.write(text) }],
    ['xl/sharedStrings.xml', { maxBytes: maxSharedPartBytes, write: (text) => shared.write(text) }],
    ['xl/styles.xml', { maxBytes: maxPartBytes, write: (text) => styles.write(text) }],
  ])
  for await (const _ of unpacked(await open(), (name) => {
    if (/^xl\/worksheets\/[^/]+\.xml$/.test(name)) sheets.push(name)
    return parts.get(name)
  }));
  const target = relations.get(firstRelation ?? '')
  const named = target === undefined ? undefined : target.startsWith('/') ? target.slice(1) : `xl/${target}`
  const firstSheet = named !== undefined && sheets.includes(named) ? named : sheets.toSorted()[0]
  if (firstSheet === undefined) throw new TableError('The file is an archive without a sheet.')
  return { sharedStrings, dateStyles: styles.dateStyles, date1904, firstSheet }
}

interface Part {
  readonly maxBytes: number
  write(text: string): void
}

/** Passes the text of the chosen parts on, and yields after each piece of the archive. */
async function* unpacked(archive: AsyncIterable<Uint8Array>, choose: (name: string) => Part | undefined): AsyncGenerator<undefined> {
  // By the name: an archive can contain a part several times.
  const partBytes = new Map<string, number>()
  let unpackedBytes = 0
  let packedBytes = 0
  let failure: unknown
  const unzip = new Unzip((file: UnzipFile) => {
    const part = choose(file.name)
    if (part === undefined) return
    const decoder = new TextDecoder()
    file.ondata = (error, bytes, isLast) => {
      if (failure !== undefined) return
      try {
        if (error !== null) throw new TableError('The workbook is damaged.', { cause: error })
        unpackedBytes += bytes.length
        if (unpackedBytes > maxUnpackedBytes) throw new TableError('The workbook unpacks to more than 1 GB.')
        if (unpackedBytes > minSuspectBytes && unpackedBytes > packedBytes * maxRatio)
          throw new TableError(`The workbook unpacks to more than ${maxRatio} times its size.`)
        const bytesOfPart = (partBytes.get(file.name) ?? 0) + bytes.length
        partBytes.set(file.name, bytesOfPart)
        if (bytesOfPart > part.maxBytes)
          throw new TableError(`The part ${file.name} of the workbook unpacks to more than ${part.maxBytes / 1_000_000} MB.`)
        part.write(decoder.decode(bytes, { stream: !isLast }))
      } catch (thrown) {
        failure = thrown
      }
    }
    file.start()
  })
  unzip.register(UnzipInflate)
  const push = (bytes: Uint8Array, isLast: boolean): void => {
    packedBytes += bytes.length
    try {
      unzip.push(bytes, isLast)
    } catch (cause) {
      throw new TableError('The workbook is damaged.', { cause })
    }
    if (failure !== undefined) throw failure
  }
  for await (const bytes of archive) {
    for (let at = 0; at < bytes.length; at += inputBytes) {
      push(bytes.subarray(at, at + inputBytes), false)
      yield
    }
  }
  push(new Uint8Array(), true)
  yield
}

interface XmlEvents {
  open?: (name: string, attributes: Readonly<Record<string, string>>) => void
  text?: (text: string) => void
  close?: (name: string) => void
}

interface XmlParser {
  /** @throws TableError for a tag or a comment that is too long */
  write(text: string): void
}

/** Names come without their namespace prefix. */
function xmlParser({ open, text, close }: XmlEvents): XmlParser {
  const local = (name: string): string => name.slice(name.indexOf(':') + 1)
  let sinceEvent = 0
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        sinceEvent = 0
        open?.(local(name), attributes)
      },
      ontext: (data) => {
        sinceEvent = 0
        text?.(data)
      },
      onclosetag: (name) => {
        sinceEvent = 0
        close?.(local(name))
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  return {
    write(data) {
      sinceEvent += data.length
      parser.write(data)
      if (sinceEvent > maxTagLength) throw new TableError('The workbook is damaged: a tag does not end.')
    },
  }
}

/** Collects the parts of a text, in which characters can be written as _x000B_ (ECMA-376, ST_Xstring). */
function textParts(): { add(part: string): void; take(): string } {
  let parts: string[] = []
  let length = 0
  return {
    add(part) {
      length += part.length
      if (length > maxCellLength) throw new TableError(`A cell has more than ${maxCellLength} characters.`)
      parts.push(part)
    },
    take() {
      const text = parts.join('').replaceAll(/_x([\da-f]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
      parts = []
      length = 0
      return text
    },
  }
}

function sharedStringParser(add: (text: string) => void): XmlParser {
  const text = textParts()
  let isText = false
  let isPhonetic = false
  return xmlParser({
    open(name) {
      if (name === 'si') text.take()
      if (name === 'rPh') isPhonetic = true
      isText = name === 't' && !isPhonetic
    },
    text: (data) => {
      if (isText) text.add(data)
    },
    close(name) {
      if (name === 't') isText = false
      if (name === 'rPh') isPhonetic = false
      if (name === 'si') add(text.take())
    },
  })
}

/** Numbers of built-in formats of days and times. */
const builtInDates = new Set([14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58])

function styleReader(): { write(text: string): void; dateStyles: boolean[] } {
  const customDates = new Set<number>()
  const dateStyles: boolean[] = []
  let isCellStyle = false
  const parser = xmlParser({
    open(name, attributes) {
      if (name === 'numFmt') {
        const code = (attributes['formatCode'] ?? '').replace(/"[^"]*"|\[[^\]]*\]|\\./g, '')
        if (/[dy]/i.test(code)) customDates.add(Number(attributes['numFmtId']))
      }
      if (name === 'cellXfs') isCellStyle = true
      if (name !== 'xf' || !isCellStyle) return
      const format = Number(attributes['numFmtId'])
      dateStyles.push(builtInDates.has(format) || customDates.has(format))
    },
    close(name) {
      if (name === 'cellXfs') isCellStyle = false
    },
  })
  return { write: (text) => parser.write(text), dateStyles }
}

function sheetParser({ sharedStrings, dateStyles, date1904 }: Workbook, add: (row: TableRow) => void): XmlParser {
  let number = 0
  let row: string[] = []
  let column = 0
  let type = ''
  let isDate = false
  let isText = false
  let rowLength = 0
  const text = textParts()
  return xmlParser({
    open(name, attributes) {
      if (name === 'row') {
        row = []
        number = rowNumber(attributes['r'], number)
        rowLength = 0
      }
      if (name === 'c') {
        column = attributes['r'] === undefined ? row.length : columnOf(attributes['r'])
        if (column >= maxColumns) throw new TableError(`A row has more than ${maxColumns} columns.`)
        type = attributes['t'] ?? 'n'
        isDate = dateStyles[Number(attributes['s'] ?? -1)] ?? false
        text.take()
      }
      if (name === 'v' || name === 't') isText = true
    },
    text: (data) => {
      if (isText) text.add(data)
    },
    close(name) {
      if (name === 'v' || name === 't') isText = false
      if (name === 'c') {
        const value = text.take()
        while (row.length < column) row.push('')
        row[column] =
          type === 's'
            ? (sharedStrings[Number(value)] ?? '')
            : type === 'n' && value !== ''
              ? numberText(value, isDate, date1904)
              : type === 'b'
                ? value === '1'
                  ? 'true'
                  : 'false'
                : type === 'e'
                  ? ''
                  : value
        rowLength += row[column]?.length ?? 0
        if (rowLength > maxRowLength) throw new TableError(`A row has more than ${maxRowLength} characters.`)
      }
      if (name === 'row' && row.some((cell) => cell !== '')) add({ number, cells: row })
    },
  })
}

/** Rows of the largest spreadsheets. */
const maxRowNumber = 100_000_000

/** Returns the number of a row: empty rows before it can be missing, and so can its number. */
function rowNumber(given: string | undefined, former: number): number {
  const number = Number(given)
  return Number.isInteger(number) && number > former && number <= maxRowNumber ? number : former + 1
}

/** Returns the index of the column in a cell reference, 27 for AB12. */
function columnOf(reference: string): number {
  let column = 0
  for (const char of reference) {
    const letter = char.charCodeAt(0) - 64
    if (letter < 1 || letter > 26) break
    column = column * 26 + letter
  }
  return column - 1
}

function numberText(value: string, isDate: boolean, date1904: boolean): string {
  const number = Number(value)
  if (!Number.isFinite(number)) return value
  if (isDate) return dayOfSerial(number + (date1904 ? 1462 : 0)) ?? value
  // A whole number below 10^21 has no exponent.
  return String(number)
}
