const short = {
	semi: false,
	printWidth: 160,
	bracketSpacing: false,
	trailingComma: 'none',
	arrowParens: 'avoid',
	objectWrap: 'collapse',
};

module.exports = {
	semi: true,
	trailingComma: 'all',
	bracketSpacing: true,
	useTabs: true,
	tabWidth: 2,
	arrowParens: 'always',
	singleQuote: true,
	quoteProps: 'as-needed',
	endOfLine: 'lf',
	printWidth: 100,
	// What is published stays readable and takes as little room as that allows.
	overrides: [{ files: 'dist/**', options: short }],
};
