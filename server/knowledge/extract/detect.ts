import { formatFromBytes } from '@firecrawl/anydoc'
import { fileTypeFromBuffer } from 'file-type'
import { SourceError } from '../../lib/errors.ts'
import { opensWithCue } from './captions.ts'
import { sniffDelimiter } from './csv.ts'
import { declaredCharset, decodeText } from './decode.ts'
import type { ExtractInput } from './draft.ts'
import { isEncryptedMessage } from './encrypted-mail.ts'
import { isJson } from './json.ts'
import { isMailbox } from './mailbox-messages.ts'
import { isSignedData } from './signed-content.ts'
import { headOfEntry, readZip } from './zip.ts'

const officeTypes: Readonly<Record<string, string>> = {
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odp: 'application/vnd.oasis.opendocument.presentation',
  epub: 'application/epub+zip',
  rtf: 'application/rtf',
  doc: 'application/msword',
  xls: 'application/vnd.ms-excel',
  ppt: 'application/vnd.ms-powerpoint',
}

/** The stream that every Outlook item has in its root folder. */
const outlookProperties = '__properties_version1.0'

/**
 * Detects the media type by content. Name and declared type decide only if the content is ambiguous (Markdown, CSV, text).
 * @throws SourceError empty_content, encrypted_file, corrupt_file, too_large, unsupported_type
 */
export async function detectType(input: ExtractInput): Promise<string> {
  const { bytes } = input
  if (bytes.length === 0) throw new SourceError('empty_content', 'The file is empty.')
  const head = Buffer.from(bytes.subarray(0, 1024)).toString('latin1')
  // The beginning of a signed PDF contains that of the PDF.
  if (isSignedData(bytes)) return 'application/pkcs7-mime'
  if (head.includes('%PDF-') && !/^\s*</.test(head)) return 'application/pdf'
  if (head.startsWith('PK\u0003\u0004') || head.startsWith('PK\u0005\u0006')) return detectArchive(bytes)
  if (head.startsWith('\xD0\xCF\x11\xE0')) return detectCompound(bytes)
  if (head.startsWith('{\\rtf')) return 'application/rtf'
  if (isEncryptedMessage(bytes)) throw new SourceError('encrypted_file', 'The file is an encrypted message.')
  if (head.startsWith('From ') && isMailbox(bytes, input.fileName)) return 'application/mbox'
  // With few other bytes beyond ASCII, a damaged image passes for text.
  if (head.startsWith('\x89PNG\r\n\x1a\n')) throw new SourceError('unsupported_type', 'Files of type image/png cannot be read.')
  const text = decodeText(bytes, declaredCharset(bytes, input.contentType))
  const found = text === null || text.slice(0, 1024).includes('\0') ? await fileTypeFromBuffer(bytes.subarray(0, 64 * 1024)) : undefined
  if (text !== null && !found) return detectText(text, input)
  throw new SourceError('unsupported_type', `${found ? `Files of type ${found.mime}` : 'Binary files of an unknown type'} cannot be read.`)
}

function detectArchive(bytes: Uint8Array): string {
  const entries = readZip(bytes)
  const format = formatFromBytes(bytes)
  const type = format ? officeTypes[format] : undefined
  if (!type) throw new SourceError('unsupported_type', 'Archives (application/zip) cannot be read; add the files in it one by one.')
  const main = entries.find(({ name }) => name === 'word/document.xml' || name === 'ppt/presentation.xml' || name === 'xl/workbook.xml')
  if (main && headOfEntry(bytes, main).includes('<!DOCTYPE'))
    throw new SourceError('corrupt_file', 'The file has a document type definition, which its format forbids.')
  return type
}

async function detectCompound(bytes: Uint8Array): Promise<string> {
  const holds = (stream: string): boolean =>
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(Buffer.from(stream, 'utf16le'))
  // A message can hold documents as attachments, and a document can hold messages.
  if (holds(outlookProperties)) {
    const { openCompoundFile } = await import('./compound-file.ts')
    if (openCompoundFile(bytes).stream(outlookProperties) !== undefined) return 'application/vnd.ms-outlook'
  }
  if (holds('EncryptedPackage') || holds('EncryptedSummary') || holds('DRMEncrypted'))
    throw new SourceError('encrypted_file', 'The file is protected by a password.')
  const format = holds('WordDocument') ? 'doc' : holds('PowerPoint Document') ? 'ppt' : holds('Workbook') ? 'xls' : formatFromBytes(bytes)
  const type = format ? officeTypes[format] : undefined
  if (!type) throw new SourceError('unsupported_type', 'Files of type application/x-cfb (an old Office container) cannot be read.')
  return type
}

function detectText(text: string, { fileName, contentType, url }: ExtractInput): string {
  const start = text.slice(0, 8192).replace(/^\uFEFF?\s*/, '')
  const said = `${contentType?.split(';')[0]?.trim().toLowerCase() ?? ''} ${extensionOf(fileName ?? pathOf(url))}`
  if (/^(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)*(<!doctype\s+html|<html[\s>]|<head[\s>]|<body[\s>])/i.test(start)) return 'text/html'
  if (/^<\?xml|^<!DOCTYPE\s+(?!html)/i.test(start)) return /<svg[\s>]/.test(start) ? 'image/svg+xml' : 'application/xml'
  if (/^<svg[\s>]/.test(start)) return 'image/svg+xml'
  if (/^WEBVTT\b/.test(start)) return 'text/vtt'
  if (opensWithCue(start) || said.endsWith(' srt')) return 'application/x-subrip'
  if (/\b(text\/markdown|text\/x-markdown|md|markdown|mdx)$/.test(said) || /^text\/(x-)?markdown /.test(said)) return 'text/markdown'
  if (/^text\/html | html?$/.test(said) || said.startsWith('application/xhtml')) return 'text/html'
  if (/^text\/(csv|tab-separated-values) | (csv|tsv)$/.test(said)) return 'text/csv'
  if (/^[[{]/.test(start) && isJson(text)) return 'application/json'
  if (opensWithHeaders(text)) return 'message/rfc822'
  if (/ (txt|text|log)$/.test(said)) return 'text/plain'
  if (/^#{1,6} \S|\n#{1,6} \S[^\n]*\n|\n```/.test(start)) return 'text/markdown'
  return looksLikeCsv(start) ? 'text/csv' : 'text/plain'
}

function looksLikeCsv(start: string): boolean {
  const lines = start
    .split(/\r?\n/)
    .slice(0, -1)
    .filter((line) => line.trim())
  const delimiter = lines.length > 2 ? sniffDelimiter(lines.join('\n')) : null
  if (delimiter === null) return false
  const counts = lines.map((line) => line.split(delimiter).length)
  return (
    counts.every((count) => count === counts[0]) &&
    (delimiter !== ',' || (counts[0] ?? 0) > 2 || lines.every((line) => line.length < 200 && !/, /.test(line)))
  )
}

/** Returns whether text begins with the header of a mail message: fields up to an empty line, two of which every message has. */
function opensWithHeaders(text: string): boolean {
  const [head = ''] = text.slice(0, 64 * 1024).split(/\r?\n\r?\n/, 1)
  const lines = head.replace(/^\s*From [^\n]*\n/, '').split(/\r?\n/)
  if (!lines.every((line, at) => /^[!-9;-~]+:(?:\s|$)/.test(line) || (at > 0 && /^\s/.test(line)))) return false
  const names = new Set(lines.map((line) => /^[^\s:]+(?=:)/.exec(line)?.[0].toLowerCase()))
  const usual = ['from', 'to', 'subject', 'date', 'mime-version', 'message-id', 'received', 'return-path', 'content-type', 'delivered-to']
  return usual.filter((name) => names.has(name)).length >= 2
}

function extensionOf(path: string): string {
  return /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''
}

function pathOf(url: string | undefined): string {
  return url && URL.canParse(url) ? new URL(url).pathname : ''
}
