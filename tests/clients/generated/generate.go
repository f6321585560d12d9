package generated

//go:generate go tool oapi-codegen -generate types,client -package svc -o svc/svc.go ../../../docs/openapi.json
