import { useEffect, useState, useSyncExternalStore } from 'react';
import { Button, Text, View } from 'react-native';
import { client } from './auth';

/** What an API of the application would say of the person. */
const organizations = (process.env.EXPO_PUBLIC_ORGANIZATIONS ?? '').split(',').filter(Boolean);

export default function App() {
  const { status, user, acr, organization, error } = useSyncExternalStore(client.subscribe, client.getSnapshot);
  const [said, say] = useState('');
  const act = (work) => () => work().then(() => say(''), ({ code }) => say(code));
  const renew = () => client.getAccessToken({ force: true }).then(() => say('renewed'), ({ code }) => say(code));

  useEffect(() => {
    // On the web the page is left for sign-in, and comes back with the answer.
    if (client.isCallback()) act(() => client.handleCallback())();
  }, []);

  return (
    <View>
      <Text testID="status">{status}</Text>
      <Text testID="said">{said || error?.code}</Text>
      <Text testID="person">{user?.name}</Text>
      <Text testID="acr">{acr}</Text>
      <Text testID="organization">{organization?.slug}</Text>
      {organizations.map((slug) => (
        <Button key={slug} testID={slug} title={slug} onPress={act(() => client.switchOrganization(slug))} />
      ))}
      <Button testID="sign-in" title="Sign in" onPress={act(() => client.login())} />
      <Button testID="step-up" title="Confirm that it is you" onPress={act(() => client.login({ acrValues: ['urn:svc:aal2'] }))} />
      <Button testID="renew" title="Renew" onPress={renew} />
      <Button testID="sign-out" title="Sign out" onPress={act(() => client.logout())} />
    </View>
  );
}
