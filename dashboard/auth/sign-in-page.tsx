import { Alert, Anchor, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useMessages } from '../messages/messages.ts'
import { goTo, nextAddress } from './addresses.ts'
import { nextAfterIssuer, rememberNext } from './after-issuer.ts'
import { askAuth } from './ask.ts'
import { AuthForm } from './auth-form.tsx'
import { AuthFrame } from './auth-frame.tsx'
import { IssuerButton } from './issuer-button.tsx'
import { IssuerOutcome } from './issuer-outcome.tsx'
import { PasswordField } from './password-field.tsx'
import { setupQuery } from './setup-query.ts'
import { useAttempt } from './use-attempt.ts'
import { authMessages } from './messages.ts'

const route = getRouteApi('/sign-in')
/** Loaded on demand: most sign-ins do not need it. */
const CodeStep = lazy(() => import('./code-step.tsx'))

export function SignInPage() {
  const messages = useMessages(authMessages)
  const { next, reset, oidc } = route.useSearch()
  const [step, setStep] = useState<'password' | 'code'>(oidc === 'code' ? 'code' : 'password')
  const openNext = (): void => goTo(oidc === 'code' ? nextAfterIssuer() : nextAddress(next))
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const { data: setup } = useQuery(setupQuery)
  const attempt = useAttempt(async () => {
    const { twoFactorRedirect } = await askAuth<{ twoFactorRedirect?: boolean }>('/sign-in/email', { email, password })
    if (twoFactorRedirect === true) setStep('code')
    else openNext()
  })
  if (step === 'code') {
    return (
      <Suspense>
        <CodeStep onDone={openNext} />
      </Suspense>
    )
  }
  return (
    <AuthFrame title={messages.signIn.title}>
      <Stack>
        {setup?.needed === true && <Alert title={messages.signIn.notSetUp}>{messages.signIn.notSetUpHelp}</Alert>}
        {oidc !== undefined && <IssuerOutcome outcome={oidc} />}
        {reset === true && <Alert color="green">{messages.signIn.reset}</Alert>}
        <AuthForm onSubmit={() => void attempt.run()} attempt={attempt} fields={['email']} action={messages.signIn.action}>
          <TextInput
            type="email"
            label={messages.email}
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
            error={attempt.errorOf('email')}
            autoComplete="username"
            required
          />
          <PasswordField label={messages.password} value={password} onChange={setPassword} />
        </AuthForm>
        <IssuerButton onLeave={() => rememberNext(oidc === undefined ? nextAddress(next) : nextAfterIssuer())} />
        <Anchor size="sm" py={8} renderRoot={(props) => <Link {...props} to="/forgot-password" />}>
          {messages.signIn.forgot}
        </Anchor>
      </Stack>
    </AuthFrame>
  )
}
