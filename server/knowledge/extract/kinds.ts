import type { Draft, ExtractInput, ParseNested } from './draft.ts'

/** A kind of document and its parser. Parsers are loaded on demand, so a process that reads text stays small. */
export interface Kind {
  /** For users. */
  readonly label: string
  /** Absent for kinds that are recognized but not supported. */
  readonly parser?: () => Promise<(input: ExtractInput, parseNested: ParseNested) => Draft | Promise<Draft>>
}

const office = async () => (await import('./office.ts')).extractOffice
const presentation = async () => (await import('./presentation.ts')).extractPresentation
const spreadsheet = async () => (await import('./spreadsheet.ts')).extractSpreadsheet
const captions = async () => (await import('./captions.ts')).extractCaptions

/** Every kind by media type. To add one: a file with its parser, a row here, and its detection in `detect.ts`. */
export const kinds: Readonly<Record<string, Kind>> = {
  'application/pdf': { label: 'PDF', parser: async () => (await import('./pdf.ts')).extractPdf },
  'text/html': { label: 'HTML', parser: async () => (await import('./html.ts')).extractHtml },
  'text/markdown': { label: 'Markdown', parser: async () => (await import('./markdown.ts')).extractMarkdown },
  'text/plain': { label: 'plain text', parser: async () => (await import('./text.ts')).extractText },
  'text/csv': { label: 'CSV', parser: async () => (await import('./csv.ts')).extractCsv },
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': {
    label: 'Word',
    parser: async () => (await import('./word.ts')).extractWord,
  },
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': { label: 'PowerPoint', parser: presentation },
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': { label: 'Excel', parser: spreadsheet },
  'application/vnd.oasis.opendocument.text': { label: 'OpenDocument text', parser: office },
  'application/vnd.oasis.opendocument.spreadsheet': { label: 'OpenDocument spreadsheet', parser: spreadsheet },
  'application/vnd.oasis.opendocument.presentation': {
    label: 'OpenDocument presentation',
    parser: async () => (await import('./odf-presentation.ts')).extractOdfPresentation,
  },
  'application/epub+zip': { label: 'EPUB', parser: office },
  'application/rtf': { label: 'RTF', parser: async () => (await import('./rtf.ts')).extractRtf },
  'application/msword': { label: 'Word 97-2003', parser: office },
  'application/vnd.ms-excel': { label: 'Excel 97-2003', parser: spreadsheet },
  'application/vnd.ms-powerpoint': {
    label: 'PowerPoint 97-2003',
    parser: async () => (await import('./legacy-presentation.ts')).extractLegacyPresentation,
  },
  'application/json': { label: 'JSON', parser: async () => (await import('./json.ts')).extractJson },
  'application/xml': { label: 'XML', parser: async () => (await import('./xml-document.ts')).extractXml },
  'image/svg+xml': { label: 'SVG image' },
  'message/rfc822': { label: 'email message', parser: async () => (await import('./email.ts')).extractEmail },
  'application/mbox': { label: 'mailbox', parser: async () => (await import('./mailbox.ts')).extractMailbox },
  'application/vnd.ms-outlook': { label: 'Outlook message', parser: async () => (await import('./outlook.ts')).extractOutlook },
  'application/pkcs7-mime': { label: 'signed file', parser: async () => (await import('./signed-content.ts')).extractSigned },
  'text/vtt': { label: 'WebVTT captions', parser: captions },
  'application/x-subrip': { label: 'SubRip captions', parser: captions },
}
