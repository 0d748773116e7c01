// What Ink takes for the layout engine: empty until it is loaded.
module.exports = {};
