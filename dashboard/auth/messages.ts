import { counted, type Messages } from '../messages/messages.ts'

const count = counted('en')

const issuerUnavailable = 'Your identity provider is unavailable. Try again in a moment.'

const en = {
  email: 'Email address',
  password: 'Password',
  newPassword: 'New password',
  passwordHelp: 'Use at least 12 characters. A few memorable words make a good password.',
  yourName: 'Your name',
  showPassword: 'Show or hide password',
  toSignIn: 'Go to sign-in',
  signIn: {
    title: 'Sign in',
    action: 'Sign in',
    forgot: 'Forgot your password?',
    notSetUp: 'Groundwork is not set up yet',
    notSetUpHelp: 'Open the setup link from the server output to create the first user.',
    reset: 'Your password was changed. Sign in with your new password.',
  },
  issuer: {
    or: 'or',
    action: (host: string) => `Continue with ${host}`,
    done: 'You are signed in. Redirecting…',
    failed: 'Sign-in failed',
    toInvitation: 'Back to the invitation',
    unavailable: issuerUnavailable,
    outcomes: {
      issuer_unavailable: issuerUnavailable,
      issuer_refused: 'Your identity provider rejected the sign-in.',
      expired: 'Sign-in took too long, or it was started in another browser or from a different URL. Try again.',
      not_believed: 'The response from your identity provider could not be verified. Contact your server administrator.',
      email_unverified: 'Your identity provider did not return a verified email address.',
      no_user: 'No account uses the email address that your identity provider returned. Ask for an invitation to be sent to that address.',
      too_many: 'Too many attempts. Wait a moment and try again.',
      failed: 'Something went wrong. Try again.',
    } as Readonly<Record<string, string>>,
  },
  code: {
    title: 'Two-factor authentication',
    about: 'Enter the code from your authenticator app.',
    code: 'Code',
    trust: 'Trust this device for 30 days',
    action: 'Continue',
    useBackup: 'Use a backup code',
    backupAbout: 'Enter one of your backup codes. Each code works once.',
    backupCode: 'Backup code',
    useApp: 'Use the authenticator app',
  },
  refused: {
    credentials: 'The email address or password is incorrect.',
    timedOut: 'Your session has ended. Sign in again.',
    noPassword: 'Your account has no password yet. Request a link to set one.',
    tooMany: count({ one: 'Too many attempts. Try again in # minute.', other: 'Too many attempts. Try again in # minutes.' }),
    /** By field of the API. */
    fields: {
      email: 'Enter a valid email address, such as name@example.com.',
      name: 'Enter a name of up to 200 characters.',
      password: 'The current password is incorrect.',
      newPassword: 'Use 12 to 128 characters for the new password.',
      token: 'This link has already been used or has expired. Request a new one.',
      code: 'The code is incorrect or has already been used. Enter a new one.',
    },
  },
}

/** Messages of sign-in. The first page load includes them. */
export const authMessages: Messages<typeof en> = { en }
