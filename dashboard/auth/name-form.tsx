import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { meQuery, type User } from '../lib/session.ts'
import { tellDone } from '../shell/notify.tsx'
import { sharedWords } from '../words/shared.ts'
import { useWords } from '../words/words.ts'
import { askAuth } from './ask.ts'
import { AuthForm } from './auth-form.tsx'
import { useAttempt } from './use-attempt.ts'
import { authWords } from './words.ts'

export function NameForm({ user }: { user: User }) {
  const words = useWords(authWords)
  const { save } = useWords(sharedWords)
  const queries = useQueryClient()
  const [name, setName] = useState(user.name)
  const attempt = useAttempt(async () => {
    await askAuth('/update-user', { name: name.trim() })
    await queries.invalidateQueries({ queryKey: meQuery.queryKey })
    tellDone(words.account.saved)
  })
  return (
    <AuthForm onSubmit={() => void attempt.run()} pending={attempt.pending} error={attempt.error} action={save} inline>
      <TextInput
        label={words.yourName}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        autoComplete="name"
        maxLength={200}
        required
      />
    </AuthForm>
  )
}
