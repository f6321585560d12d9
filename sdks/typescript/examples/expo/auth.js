import { createExpoClient } from '@svc/expo';
import * as Crypto from 'expo-crypto';
import * as SecureStore from 'expo-secure-store';
import * as WebBrowser from 'expo-web-browser';

export const client = createExpoClient({
  WebBrowser,
  SecureStore,
  Crypto, // Hermes has no Web Crypto
  baseURL: process.env.EXPO_PUBLIC_SVC_ISSUER,
  oauth: { clientId: process.env.EXPO_PUBLIC_SVC_CLIENT_ID, redirectUri: 'example.app:/callback' },
});
