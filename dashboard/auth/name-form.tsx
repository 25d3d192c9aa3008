import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { meQuery, type User } from '../lib/session.ts'
import { notifySuccess } from '../shell/notify.tsx'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'
import { askAuth } from './ask.ts'
import { AuthForm } from './auth-form.tsx'
import { useAttempt } from './use-attempt.ts'
import { authMessages } from './messages.ts'

export function NameForm({ user }: { user: User }) {
  const messages = useMessages(authMessages)
  const { save } = useMessages(sharedMessages)
  const queries = useQueryClient()
  const [name, setName] = useState(user.name)
  const attempt = useAttempt(async () => {
    await askAuth('/update-user', { name: name.trim() })
    await queries.invalidateQueries({ queryKey: meQuery.queryKey })
    notifySuccess(messages.account.saved)
  })
  return (
    <AuthForm onSubmit={() => void attempt.run()} pending={attempt.pending} error={attempt.error} action={save} inline>
      <TextInput
        label={messages.yourName}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        autoComplete="name"
        maxLength={200}
        required
      />
    </AuthForm>
  )
}
