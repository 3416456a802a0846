export const allScopes = ['forms:read', 'responses:read', 'hooks:write'];
