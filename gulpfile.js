const { rm } = require('node:fs/promises');
const { dest, src } = require('gulp');

/** Files of an earlier build would ship with the package. */
exports.clean = async () => await rm('dist', { recursive: true, force: true });

/** Icons lie beside the nodes that use them; nothing else of the repository may ship. */
exports.icons = () => src('nodes/**/*.svg', { encoding: false }).pipe(dest('dist/nodes'));
