// Ink reaches for the developer tools of React only in development; a bundle must not carry them.
module.exports = {};
