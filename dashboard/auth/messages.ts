import { counted, type Messages } from '../messages/messages.ts'

const count = counted('en')

const issuerUnavailable = 'Your identity provider is not available. Try again in a moment.'

const en = {
  email: 'Email address',
  password: 'Password',
  newPassword: 'New password',
  passwordHelp: 'At least 12 characters. A few words that you can remember make a good password.',
  yourName: 'Your name',
  showPassword: 'Show or hide password',
  toSignIn: 'Go to sign-in',
  signIn: {
    title: 'Sign in',
    action: 'Sign in',
    forgot: 'Forgot your password?',
    notSetUp: 'Groundwork is not set up yet',
    notSetUpHelp: 'Open the setup link in the output of the server to create the first user.',
    reset: 'Your password was changed. Sign in with the new password.',
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
      issuer_refused: 'Your identity provider refused the sign-in.',
      expired: 'The sign-in took too long, or was started in another browser or under another URL. Try again.',
      not_believed: 'The response from your identity provider could not be verified. Contact the operator of this installation.',
      email_unverified: 'Your identity provider did not return a verified email address.',
      no_user: 'No user has the email address that your identity provider returned. Ask for an invitation to this address.',
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
    credentials: 'The email address or the password is wrong.',
    timedOut: 'Your session has ended. Sign in again.',
    noPassword: 'Your account has no password yet. Request a link to set one.',
    tooMany: count({ one: 'Too many attempts. Try again in # minute.', other: 'Too many attempts. Try again in # minutes.' }),
    /** By field of the API. */
    fields: {
      email: 'Enter an email address such as name@example.com.',
      name: 'Enter a name of at most 200 characters.',
      password: 'This is not your current password.',
      newPassword: 'Use 12 to 128 characters for the new password.',
      token: 'This link was used before or has expired. Request a new one.',
      code: 'The code is wrong, or it was used before. Enter a new one.',
    },
  },
}

/** Messages of sign-in. The first page load includes them. */
export const authMessages: Messages<typeof en> = { en }
