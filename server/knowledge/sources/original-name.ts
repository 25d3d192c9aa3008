import type { SourceType } from '@groundwork/api'
import { sourceTypes } from '../ingest/source-types.ts'
import type { Document } from '../rows/documents.ts'

const extensions: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'text/html': 'html',
  'text/markdown': 'md',
  'text/plain': 'txt',
  'text/csv': 'csv',
  'text/vtt': 'vtt',
  'application/x-subrip': 'srt',
  'application/json': 'json',
  'application/xml': 'xml',
  'message/rfc822': 'eml',
  'application/mbox': 'mbox',
  'application/vnd.ms-outlook': 'msg',
  'application/pkcs7-mime': 'p7m',
  'application/rtf': 'rtf',
  'application/epub+zip': 'epub',
  'application/msword': 'doc',
  'application/vnd.ms-excel': 'xls',
  'application/vnd.ms-powerpoint': 'ppt',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.oasis.opendocument.text': 'odt',
  'application/vnd.oasis.opendocument.spreadsheet': 'ods',
  'application/vnd.oasis.opendocument.presentation': 'odp',
}
const known = new Set([...Object.values(extensions), 'htm', 'markdown', 'tsv', 'log'])

/**
 * Returns the name of a downloaded original: that of the upload, or else of the URL or the source, with the extension of its
 * media type.
 */
export function originalName(
  { name, type }: { name: string; type: SourceType },
  { file_name, url, media_type }: Pick<Document, 'file_name' | 'url' | 'media_type'>,
): string {
  if (file_name !== null) return file_name
  const stem = (sourceTypes[type].namedByUrl && lastSegment(url)) || name
  const has = /\.(\w+)$/.exec(stem)?.[1]?.toLowerCase()
  if (has !== undefined && known.has(has)) return stem
  const extension = extensions[media_type?.split(';', 1)[0]?.trim().toLowerCase() ?? '']
  return extension === undefined ? stem : `${stem}.${extension}`
}

function lastSegment(url: string | null): string {
  if (url === null || !URL.canParse(url)) return ''
  const segment = new URL(url).pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
