import { Anchor, Text, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useWords } from '../words/words.ts'
import { askAuth } from './ask.ts'
import { AuthForm } from './auth-form.tsx'
import { AuthFrame } from './auth-frame.tsx'
import { useAttempt } from './use-attempt.ts'
import { authWords } from './words.ts'

export function ForgotPasswordPage() {
  const words = useWords(authWords)
  const [email, setEmail] = useState('')
  const [sent, setSent] = useState(false)
  const attempt = useAttempt(async () => {
    await askAuth('/request-password-reset', { email })
    setSent(true)
  })
  return (
    <AuthFrame title={words.forgot.title} about={words.forgot.about}>
      {sent ? (
        <Text role="status">{words.forgot.sent}</Text>
      ) : (
        <AuthForm onSubmit={() => void attempt.run()} pending={attempt.pending} error={attempt.error} action={words.forgot.action}>
          <TextInput
            type="email"
            label={words.email}
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
            autoComplete="username"
            required
          />
        </AuthForm>
      )}
      <Anchor size="sm" display="inline-block" pt="md" renderRoot={(props) => <Link {...props} to="/sign-in" />}>
        {words.toSignIn}
      </Anchor>
    </AuthFrame>
  )
}
