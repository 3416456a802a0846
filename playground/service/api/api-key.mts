/** The API grants a Workspace API key only responses:read. */
export const apiKey = 'live_playground_key';
export const apiKeyScopes = ['responses:read'] as const;
