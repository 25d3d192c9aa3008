/**
 * - `temporary`: the message was not accepted and can be sent again
 * - `refused`: the mail server refuses this message for good
 * - `unknown`: the connection ended between the end of the message and the answer of the mail server
 */
type Failure = 'temporary' | 'refused' | 'unknown'

/** An attempt to send a message failed. The message is the answer of the mail server, if it gave one. */
export class MailError extends Error {
  readonly failure: Failure

  private constructor(message: string, failure: Failure, cause: unknown) {
    super(message, { cause })
    this.name = 'MailError'
    this.failure = failure
  }

  /** @param isEnding whether the end of the message was being sent */
  static of(error: unknown, { isEnding }: { isEnding: boolean }): MailError {
    const { response, responseCode, command } = partsOf(error)
    const message = response ?? (error instanceof Error ? error.message : String(error))
    return new MailError(message, failureOf(responseCode, command, isEnding), error)
  }
}

/** A 5xx to another command, such as AUTH, concerns the configuration of the service, which its operator can correct. */
function failureOf(responseCode: number | undefined, command: string | undefined, isEnding: boolean): Failure {
  if (responseCode === undefined) return isEnding ? 'unknown' : 'temporary'
  return responseCode >= 500 && (command === 'RCPT TO' || command === 'DATA') ? 'refused' : 'temporary'
}

/** nodemailer adds these properties to its errors: all of them if the mail server answered. */
const partsOf = (error: unknown): { response?: string; responseCode?: number; command?: string } => error ?? {}

/** Returned for a message whose attempt was interrupted after its end was given to the mail server. */
export const interrupted =
  'The service stopped, or the connection ended, before the mail server confirmed the message. It may have been delivered.'
