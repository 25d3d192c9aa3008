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
    attachment_left_out: ({ name }) => `The attachment “${name}” could not be read and was skipped.`,
    attachments_left_out: ({ count }) => `Other attachments skipped: ${count}.`,
    captions_other_language: ({ requested, language }) =>
      `The video has no captions in ${requested}, so captions in ${language} were used.`,
    comments_left_out: ({ count, total }) => `The workbook is very large, so comments on ${count} of ${total} sheets were skipped.`,
    messages_damaged: ({ count }) => `Damaged messages skipped: ${count}.`,
    messages_encrypted: ({ count }) => `Encrypted messages skipped: ${count}.`,
    message_part_encrypted: () => 'Part of the message is encrypted and was skipped.',
    ocr_no_text: ({ pages }) => `Pages skipped because they have no recognizable text: ${pages}.`,
    ocr_off: ({ pages }) => `Scanned pages skipped because text recognition (OCR) is turned off: ${pages}.`,
    ocr_page_limit: ({ pages, limit }) => `Scanned pages skipped because at most ${limit} are read per document: ${pages}.`,
    ocr_read: ({ count, total }) => `${count} of ${total} pages are scans. Their text was extracted with OCR and may contain errors.`,
    ocr_size_limit: ({ pages }) => `Scanned pages skipped because they are too large: ${pages}.`,
    ocr_uncertain: ({ pages }) => `Scanned pages skipped because their text is too hard to read: ${pages}.`,
    page_little_text: () =>
      'The page shows little text without JavaScript. Your server administrator can turn on a browser for such pages.',
    page_not_rendered: () => 'Some text may be missing because the page’s scripts failed to run.',
    pages_damaged: ({ pages }) => `Damaged pages that could not be read: ${pages}.`,
    pages_failed: ({ count }) => `Pages that could not be read: ${count}.`,
    pages_failed_kept: ({ count, kept }) =>
      `Pages that could not be read: ${count}. The previous content of ${kept} of them is still searchable.`,
    pages_little_text: ({ count, url }) => `Pages that show little text without JavaScript: ${count}, such as ${url}.`,
    pages_over_limit: ({ count, limit }) => `URLs skipped because the limit of ${limit} pages was reached: ${count}.`,
    pages_over_time: ({ count, hours }) => `URLs skipped because the time limit of ${hours} hours was reached: ${count}.`,
    pages_without_text: ({ count, url }) => `Pages skipped because they show no text without JavaScript: ${count}, such as ${url}.`,
    sheets_hidden: ({ count, total }) => `${count} of ${total} sheets are hidden and were skipped.`,
    sign_in_forms: ({ count, url }) => `Pages skipped because they require sign-in: ${count}, such as ${url}.`,
    slides_hidden: ({ count, total }) => `${count} of ${total} slides are hidden and were skipped.`,
    unknown_language: ({ language }) =>
      `The embedding model does not support ${language}, so passages in this language can only be found by matching words. Your server administrator can choose another model.`,
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
