/** The one Workspace API key. The API grants it responses:read and nothing else. */
export const apiKey = 'live_playground_key';
export const apiKeyScopes = ['responses:read'] as const;
