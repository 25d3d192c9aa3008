import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { meQuery, type User } from '../lib/session.ts'
import { useForm } from '../shell/form.ts'
import { notifySuccess } from '../shell/notify.tsx'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'
import { askAuth } from './ask.ts'
import { AuthForm } from './auth-form.tsx'
import { useAttempt } from './use-attempt.ts'
import { accountMessages } from './account-messages.ts'

export function NameForm({ user }: { user: User }) {
  const messages = useMessages(accountMessages)
  const { save } = useMessages(sharedMessages)
  const queries = useQueryClient()
  const form = useForm({ name: user.name })
  const attempt = useAttempt(async ({ name }: typeof form.values) => {
    await askAuth('/update-user', { name: name.trim() })
    form.reset({ name: name.trim() })
    await queries.invalidateQueries({ queryKey: meQuery.queryKey })
    notifySuccess(messages.account.saved)
  })
  return (
    <AuthForm onSubmit={() => void attempt.run(form.values)} attempt={attempt} fields={['name']} action={save} inline>
      <TextInput
        label={messages.yourName}
        {...form.text('name')}
        error={attempt.errorOf('name')}
        autoComplete="name"
        maxLength={200}
        required
      />
    </AuthForm>
  )
}
