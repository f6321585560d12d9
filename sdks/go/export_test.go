package svc

// What the tests of the guide need of the package's own.
var (
	SignForTest = signES256
	JWKForTest  = jwkOf
)
