module svc.example/go

go 1.26.0
