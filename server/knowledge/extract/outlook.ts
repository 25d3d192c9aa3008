import type msgreader from '@kenjiuno/msgreader'
import { createRequire } from 'node:module'
import { SourceError } from '../../lib/errors.ts'
import { declaredCharset, decodeText } from './decode.ts'
import type { Draft, ExtractInput, ParseNested } from './draft.ts'
import { parseEmail } from './email.ts'
import { messageDraft, type MailAddress, type MailAttachment, type MailMessage } from './mail-message.ts'

type MsgReader = msgreader.default
type FieldsData = msgreader.FieldsData
/** A CommonJS module with a default export, which a default import would wrap in Node.js and not in other runtimes. */
const { default: MsgReader } = createRequire(import.meta.url)('@kenjiuno/msgreader') as typeof msgreader

/**
 * Extracts an Outlook item (MS-OXMSG) like an email message. Of an appointment, the text begins with its time and its place.
 * @throws SourceError corrupt_file, encrypted_file
 */
export async function extractOutlook({ bytes }: ExtractInput, parseNested: ParseNested): Promise<Draft> {
  const { fields, attachments } = readItem(bytes)
  const message = messageOf(fields, attachments)
  return messageDraft((await signedContent(fields, message)) ?? message, parseNested)
}

function readItem(bytes: Uint8Array): { fields: FieldsData; attachments: MailAttachment[] } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    const reader = new MsgReader(view)
    const fields = reader.getFileData()
    if (fields.error !== undefined) throw new Error(fields.error)
    const item = inCodepage(view, fields) ?? { reader, fields }
    return { fields: item.fields, attachments: attachmentsOf(item.reader, item.fields) }
  } catch (cause) {
    throw new SourceError('corrupt_file', 'The message is damaged: its parts do not follow its format.', { cause })
  }
}

/** Windows code pages by language (LCID, MS-LCID); 1252 otherwise. */
const codepages: Readonly<Record<number, readonly number[]>> = {
  874: [1054],
  932: [1041],
  936: [2052, 4100],
  949: [1042],
  950: [1028, 3076, 5124],
  1250: [1029, 1038, 1045, 1048, 1050, 1051, 1052, 1060],
  1251: [1026, 1049, 1058, 1059, 1071, 3098],
  1253: [1032],
  1254: [1055],
  1255: [1037],
  1256: [1025, 1065, 2049, 3073],
  1257: [1061, 1062, 1063],
  1258: [1066],
}

/** Returns the code page of strings that are not Unicode, as Outlook 2002 and older wrote them. */
function codepageOf({ messageCodepage, internetCodepage = 0, messageLocaleId = 0 }: FieldsData): number {
  if (messageCodepage !== undefined && messageCodepage !== 1200) return messageCodepage
  if (messageLocaleId === 0 && internetCodepage in codepages) return internetCodepage
  return Number(Object.entries(codepages).find(([, locales]) => locales.includes(messageLocaleId))?.[0] ?? 1252)
}

/** Reads an item again with its code page, unless that is the default one. */
function inCodepage(view: DataView, fields: FieldsData): { reader: MsgReader; fields: FieldsData } | null {
  const codepage = codepageOf(fields)
  if (codepage === 1252) return null
  const reader = new MsgReader(view)
  reader.parserConfig = { ansiEncoding: codepage === 65_001 ? 'utf8' : `cp${codepage}` }
  try {
    return { reader, fields: reader.getFileData() }
  } catch {
    // The code page is unknown; the default one reads at least Latin letters.
    return null
  }
}

function messageOf(fields: FieldsData, attachments: MailAttachment[]): MailMessage {
  const { senderName, senderEmail, senderSmtpAddress, subject, recipients = [] } = fields
  const { html: bytes, bodyHtml = '' } = fields
  const received = fields.messageDeliveryTime ?? fields.clientSubmitTime ?? fields.creationTime
  return {
    subject,
    from: addressOf(senderName, senderSmtpAddress ?? senderEmail),
    to: recipients.filter(({ recipType }) => recipType !== 'cc' && recipType !== 'bcc').map(recipientOf),
    cc: recipients.filter(({ recipType }) => recipType === 'cc').map(recipientOf),
    date: received !== undefined && !Number.isNaN(Date.parse(received)) ? new Date(received).toISOString() : received,
    text: [appointmentText(fields), fields.body].filter(Boolean).join('\n\n'),
    html: bytes === undefined ? bodyHtml : (decodeText(bytes, declaredCharset(bytes, undefined)) ?? ''),
    attachments,
  }
}

const recipientOf = ({ name, smtpAddress, email }: FieldsData): MailAddress => addressOf(name, smtpAddress ?? email)

/** An address of Exchange (`/O=…`) means nothing outside of it. */
function addressOf(name: string | undefined, address: string | undefined): MailAddress {
  const known = address?.includes('@') ? address : undefined
  return { name: name === known ? undefined : name, address: known }
}

function appointmentText({ apptStartWhole: start, apptEndWhole: end, apptLocation: place }: FieldsData): string {
  const time = [start, end].flatMap((each) => (each === undefined || Number.isNaN(Date.parse(each)) ? [] : [new Date(each)]))
  const [from, to] = time.map((each) => each.toISOString().replace(/T(\d\d:\d\d).*/, ' $1 UTC'))
  return [from && `When: ${from}${to === undefined ? '' : ` to ${to}`}`, place && `Where: ${place}`].filter(Boolean).join('\n')
}

const picture = /\.(?:png|jpe?g|gif|bmp|tiff?|emf|wmf|ico|webp)$/i

function attachmentsOf(reader: MsgReader, fields: FieldsData): MailAttachment[] {
  return (fields.attachments ?? []).map((attachment, at) => {
    const { fileName, content } = reader.getAttachment(at)
    const name = attachment.name ?? fileName
    return {
      name: attachment.innerMsgContent === true && !/\.msg$/i.test(name) ? `${name}.msg` : name,
      mediaType: attachment.attachMimeTag ?? (picture.test(name) ? 'image/*' : ''),
      bytes: content,
      isEmbedded: attachment.attachmentHidden === true,
    }
  })
}

/** Returns the content of a clear-signed S/MIME message, which is stored as an attachment. */
async function signedContent({ messageClass = '' }: FieldsData, message: MailMessage): Promise<MailMessage | null> {
  const [only, ...others] = message.attachments
  if (!/^IPM\.Note\.SMIME\.MultipartSigned/i.test(messageClass) || only === undefined || others.length > 0) return null
  const { text, html, attachments } = await parseEmail(only.bytes)
  return { ...message, text, html, attachments }
}
