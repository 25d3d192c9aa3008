import type { Source } from '@groundwork/sdk'
import type { Messages } from '../messages/messages.ts'

/** Why an attempt at a source failed, by error code. In a separate file because Home shows it too. */
export const sourceFailures: Messages<Record<NonNullable<Source['errorCode']>, string>> = {
  en: {
    unsupported_type: 'This file type is not supported. Save the content as PDF, Word, HTML or text, and add that file.',
    corrupt_file: 'The file is damaged. Open it in its original application, save it again and add the new file.',
    encrypted_file: 'The file is password-protected. Remove the password and add the file again.',
    too_large: 'The content is too large. Split it into smaller parts and add each part.',
    empty_content: 'No text was found. If this is a scan, its quality may be too low.',
    fetch_failed: 'The URL could not be fetched. Check it in a browser, then retry.',
    blocked_address: 'The URL points to a private network. Only your server administrator can allow access to it.',
    robots_disallowed: 'The site’s robots.txt file does not allow crawling. If you own the site, allow crawling there.',
    not_found: 'Nothing was found at this URL. Delete the source, or add it again with the correct URL.',
    timeout: 'Processing took too long. Retry, or split a large document into smaller parts.',
    no_transcript: 'The video has no captions. Upload a transcript (VTT, SRT or text) instead.',
    transcript_blocked: 'YouTube did not provide the captions to this server. Upload a transcript (VTT, SRT or text) instead.',
    embedding_failed: 'The embedding model did not respond. Retry, and if it fails again, contact your server administrator.',
    storage_unavailable: 'The file storage did not respond. Retry, and if it fails again, contact your server administrator.',
    quota_exceeded:
      'This content exceeds your organization’s quota. Delete other sources, or ask your server administrator for a higher quota.',
    cancelled: 'Processing was stopped. Retry to start it again.',
    internal: 'Something went wrong on the server. Retry, or check the server log for details.',
  },
}
