import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useWords } from '../words/words.ts'
import { goTo, tokenInAddress } from './addresses.ts'
import { askAuth } from './ask.ts'
import { AuthForm } from './auth-form.tsx'
import { AuthFrame } from './auth-frame.tsx'
import { PasswordField } from './password-field.tsx'
import { useAttempt } from './use-attempt.ts'
import { authWords } from './words.ts'

export function ResetPasswordPage() {
  const words = useWords(authWords)
  const [token] = useState(tokenInAddress)
  const [newPassword, setNewPassword] = useState('')
  const attempt = useAttempt(async () => {
    await askAuth('/reset-password', { newPassword, token })
    goTo('/app/sign-in?reset=true')
  })
  return (
    <AuthFrame title={words.reset.title} about={words.reset.about}>
      {token === '' ? (
        <Text>{words.reset.noToken}</Text>
      ) : (
        <AuthForm onSubmit={() => void attempt.run()} pending={attempt.pending} error={attempt.error} action={words.reset.action}>
          <PasswordField label={words.newPassword} description={words.passwordHelp} value={newPassword} onChange={setNewPassword} isNew />
        </AuthForm>
      )}
      <Anchor size="sm" display="inline-block" pt="md" renderRoot={(props) => <Link {...props} to="/forgot-password" />}>
        {words.reset.again}
      </Anchor>
    </AuthFrame>
  )
}
