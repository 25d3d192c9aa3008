import { readSourceWarning, type SourceWarningCode } from '@groundwork/api/source-types'
import { messagesOf, type Messages } from '../messages/messages.ts'

type Values = Readonly<Record<string, string>>

interface WarningMessages {
  codes: Readonly<Record<SourceWarningCode, (values: Values) => string>>
  other: string
}

/** Messages by the code of a warning. */
const en: WarningMessages = {
  codes: {
    attachment_left_out: ({ name }) => `The attachment “${name}” could not be read and is left out.`,
    attachments_left_out: ({ count }) => `More attachments that are left out: ${count}.`,
    captions_other_language: ({ requested, language }) => `The video has no captions in ${requested}. Those in ${language} were read.`,
    comments_left_out: ({ count, total }) => `The workbook is very large: comments of ${count} of ${total} sheets are left out.`,
    messages_damaged: ({ count }) => `Damaged messages that are left out: ${count}.`,
    messages_encrypted: ({ count }) => `Encrypted messages that are left out: ${count}.`,
    message_part_encrypted: () => 'Part of the message is encrypted and left out.',
    ocr_no_text: ({ pages }) => `Pages without recognizable text that are left out: ${pages}.`,
    ocr_off: ({ pages }) => `Scanned pages that are left out because text recognition (OCR) is turned off: ${pages}.`,
    ocr_page_limit: ({ pages, limit }) => `Scanned pages that are left out because at most ${limit} of a document are read: ${pages}.`,
    ocr_read: ({ count, total }) => `${count} of ${total} pages are scans. Their text was recognized (OCR) and may contain errors.`,
    ocr_size_limit: ({ pages }) => `Scanned pages that are left out because they are too large: ${pages}.`,
    ocr_uncertain: ({ pages }) => `Scanned pages that are left out because their text is too hard to read: ${pages}.`,
    page_little_text: () =>
      'The page shows little text without its scripts. The operator of this installation can turn on a browser for such pages.',
    page_not_rendered: () => 'The page may have more text than was read, because its scripts failed to run.',
    pages_damaged: ({ pages }) => `Damaged pages that could not be read: ${pages}.`,
    pages_failed: ({ count }) => `Pages that could not be read: ${count}.`,
    pages_failed_kept: ({ count, kept }) =>
      `Pages that could not be read: ${count}. The former content of ${kept} of them stays searchable.`,
    pages_little_text: ({ count, url }) => `Pages that show little text without their scripts: ${count}, such as ${url}.`,
    pages_over_limit: ({ count, limit }) => `URLs that were not read because the limit of ${limit} pages was reached: ${count}.`,
    pages_over_time: ({ count, hours }) => `URLs that were not read because the time limit of ${hours} hours was reached: ${count}.`,
    pages_without_text: ({ count, url }) =>
      `Pages that are left out because they show no text without their scripts: ${count}, such as ${url}.`,
    sheets_hidden: ({ count, total }) => `${count} of ${total} sheets are hidden and left out.`,
    sign_in_forms: ({ count, url }) => `Pages that are left out because they require a sign-in: ${count}, such as ${url}.`,
    slides_hidden: ({ count, total }) => `${count} of ${total} slides are hidden and left out.`,
    unknown_language: ({ language }) =>
      `The embedding model does not know ${language}, so passages in it are only found by the words of a question. The operator of this installation can choose another model.`,
  },
  other: 'Part of the content could not be read.',
}

const warningMessages: Messages<WarningMessages> = { en }

/** Returns the message for a warning of the API. */
export function warningMessage(warning: string): string {
  const { codes, other } = messagesOf(warningMessages)
  const read = readSourceWarning(warning)
  return read === null ? other : codes[read.code](read.values)
}
