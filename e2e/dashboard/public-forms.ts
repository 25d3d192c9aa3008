import { program, type Program } from '../program.ts'
import type { ShownPage } from './extreme-data.ts'
import type { SignedIn } from './signed-in.ts'

/**
 * Returns the pages with forms that need no session, with links of messages, and a program that is not set up.
 * @param atEnd registers the cleanup; tests pass `onTestFinished`
 */
export async function publicForms(
  { api }: Pick<SignedIn, 'api'>,
  atEnd: (end: () => Promise<void>) => void,
): Promise<{ pages: ShownPage[]; fresh: Program }> {
  const fresh = await program(atEnd)
  await fresh.start()
  const mails = (await api.mails.list().page()).data
  const invitation = mails.map(({ text }) => /http:\S+\/app\/invitation#\S+/.exec(text)?.[0]).find((link) => link !== undefined)
  const pages = [
    { name: 'sign-in', path: '/sign-in' },
    { name: 'setup', path: /\S+\/app\/setup#\S+/.exec(fresh.output())?.[0] ?? '' },
    { name: 'invitation', path: invitation ?? '' },
    { name: 'forgot-password', path: '/forgot-password' },
    { name: 'reset-password', path: '/reset-password#gone' },
  ]
  return { pages, fresh }
}
