import { TextInput } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { worded } from '../lib/errors.ts'
import { meQuery, sessionClient } from '../lib/session.ts'
import { useForm } from '../shell/form.ts'
import { useMessages } from '../messages/messages.ts'
import { goTo } from './addresses.ts'
import { AuthForm } from './auth-form.tsx'
import { AuthFrame } from './auth-frame.tsx'
import { useAttempt } from './use-attempt.ts'
import { accountMessages } from './account-messages.ts'

export function NewOrganizationPage() {
  const { organization: words } = useMessages(accountMessages)
  const { organizations } = useSuspenseQuery(meQuery).data
  const form = useForm({ name: '' })
  const attempt = useAttempt(async (values: typeof form.values) => {
    const { slug } = await sessionClient()
      .organizations.create(values)
      .catch((error: Error) => Promise.reject(worded(error, { conflict: words.tooMany })))
    goTo(`/app/${slug}`)
  }, form.refuse)
  return (
    <AuthFrame title={words.title} about={organizations.length === 0 ? words.none : words.about}>
      <AuthForm
        onSubmit={() => void attempt.run(form.values)}
        pending={attempt.pending}
        error={attempt.error}
        fields={['name']}
        action={words.action}
      >
        <TextInput label={words.name} {...form.text('name')} autoComplete="organization" maxLength={200} required />
      </AuthForm>
    </AuthFrame>
  )
}
