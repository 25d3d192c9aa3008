import { Zip, ZipDeflate } from 'fflate'

type Cell = string | number | null

/** Rows of a sheet, of which Excel reads 1,048,576. */
const maxSheetRows = 1_000_000
/** Characters that Excel reads in a cell. */
const maxCellCharacters = 32_767

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packageRelations = 'http://schemas.openxmlformats.org/package/2006/relationships'
const contentType = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/**
 * Yields the bytes of a workbook while its rows are read. Text is stored as text, so a spreadsheet calculates nothing; only numbers are
 * numbers. The first row is repeated at the beginning of each further sheet.
 * @param groups rows in groups
 */
export async function* xlsxFile(groups: AsyncIterable<readonly (readonly Cell[])[]>): AsyncGenerator<Uint8Array> {
  let made: Uint8Array[] = []
  const zip = new Zip((error, bytes) => {
    if (error) throw error
    made.push(bytes)
  })
  const taken = function* (): Generator<Uint8Array> {
    const ready = made
    made = []
    yield* ready
  }
  const encoder = new TextEncoder()
  const open = (name: string) => {
    const part = new ZipDeflate(name, { level: 3 })
    zip.add(part)
    return (text: string, isLast = false): void => part.push(encoder.encode(text), isLast)
  }
  const write = (name: string, text: string): void => open(name)(declaration + text, true)

  write('[Content_Types].xml', contentTypes)
  let sheets = 0
  let rows = 0
  let header: readonly Cell[] | undefined
  let sheet: ((text: string, isLast?: boolean) => void) | undefined
  const begin = (): void => {
    sheets += 1
    rows = 0
    sheet = open(`xl/worksheets/sheet${sheets}.xml`)
    sheet(`${declaration}<worksheet xmlns="${main}"><sheetData>`)
  }
  const end = (): void => sheet?.('</sheetData></worksheet>', true)
  begin()
  for await (const group of groups) {
    let text = ''
    for (const row of group) {
      header ??= row
      if (rows === maxSheetRows) {
        sheet?.(text)
        end()
        begin()
        text = rowText(header)
        rows = 1
      }
      text += rowText(row)
      rows += 1
    }
    if (text !== '') sheet?.(text)
    yield* taken()
  }
  end()
  const numbers = Array.from({ length: sheets }, (_, at) => at + 1)
  write(
    'xl/workbook.xml',
    `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets>${numbers
      .map((number) => `<sheet name="Contacts${number === 1 ? '' : ` ${number}`}" sheetId="${number}" r:id="rId${number}"/>`)
      .join('')}</sheets></workbook>`,
  )
  write(
    'xl/_rels/workbook.xml.rels',
    `<Relationships xmlns="${packageRelations}">${numbers
      .map((number) => `<Relationship Id="rId${number}" Type="${relations}/worksheet" Target="worksheets/sheet${number}.xml"/>`)
      .join('')}<Relationship Id="rId${sheets + 1}" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
  )
  write('xl/styles.xml', styles)
  write(
    '_rels/.rels',
    `<Relationships xmlns="${packageRelations}"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  )
  zip.end()
  yield* taken()
}

/** Every part that is not named here is a sheet. */
const contentTypes = `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="${contentType}.worksheet+xml"/><Override PartName="/xl/workbook.xml" ContentType="${contentType}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${contentType}.styles+xml"/></Types>`

/** The second style is that of text: it stays text if somebody edits the cell. */
const styles = `<styleSheet xmlns="${main}"><fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="2"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>`

const rowText = (row: readonly Cell[]): string => `<row>${row.map(cellText).join('')}</row>`

function cellText(cell: Cell): string {
  if (cell === null || cell === '') return '<c/>'
  if (typeof cell === 'number') return `<c><v>${cell}</v></c>`
  return `<c t="inlineStr" s="1"><is><t xml:space="preserve">${escaped(cell.slice(0, maxCellCharacters))}</t></is></c>`
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' }

/** Workbooks have control characters as _x000B_, which XML cannot contain, and such a text as _x005F_x000B_. */
const escaped = (text: string): string =>
  text
    .replaceAll(/_(?=x[\da-f]{4}_)/gi, '_x005F_')
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, codeOf) // oxlint-disable-line no-control-regex
    .replaceAll(/\p{Surrogate}/gu, '\ufffd')
    .replaceAll(/[&<>\r]/g, (character) => entities[character] ?? character)

const codeOf = (character: string): string => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`
