package example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

@SpringBootTest(webEnvironment = WebEnvironment.DEFINED_PORT)
class ShopTest {
    private static final String HOME = "http://localhost:8081";
    private static final JsonNode DEV = dev();
    private static final JsonNode CLIENT = client("spring");

    @DynamicPropertySource
    static void settings(DynamicPropertyRegistry registry) {
        registry.add("SVC_ISSUER", () -> DEV.get("issuer").asText());
        registry.add("SVC_CLIENT_ID", () -> CLIENT.get("client_id").asText());
        registry.add("SVC_CLIENT_SECRET", () -> CLIENT.get("client_secret").asText());
    }

    @Test
    void aPersonSignsIn() throws Exception {
        var user = DEV.get("user");
        var person = new Person(user.get("username").asText(), user.get("password").asText());
        assertEquals("Ada Lovelace ada@demo.example", person.visit(HOME + "/me"));
    }

    @Test
    void theApiTakesItsTokensAndNoOthers() throws Exception {
        assertEquals(200, orders(token("resource=https://spring.example&scope=orders:read")));
        assertEquals(401, orders(token("scope=")));
    }

    private static int orders(String token) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(HOME + "/orders")).header("authorization", "Bearer " + token);
        return send(request.build()).statusCode();
    }

    private static String token(String parameters) throws Exception {
        var pair = CLIENT.get("client_id").asText() + ":" + CLIENT.get("client_secret").asText();
        var request = HttpRequest.newBuilder(URI.create(DEV.get("issuer").asText() + "/oauth/token"))
            .header("authorization", "Basic " + Base64.getEncoder().encodeToString(pair.getBytes()))
            .header("content-type", "application/x-www-form-urlencoded")
            .POST(HttpRequest.BodyPublishers.ofString("grant_type=client_credentials&" + parameters));
        var reply = send(request.build());
        assertEquals(200, reply.statusCode(), reply.body());
        return new ObjectMapper().readTree(reply.body()).get("access_token").asText();
    }

    private static HttpResponse<String> send(HttpRequest request) throws Exception {
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    }

    private static JsonNode client(String handle) {
        for (var client : DEV.get("clients")) {
            if (client.get("handle").asText().equals(handle)) {
                return client;
            }
        }
        throw new IllegalStateException("no application " + handle);
    }

    private static JsonNode dev() {
        try {
            return new ObjectMapper().readTree(System.getenv("SVC_DEV"));
        } catch (Exception error) {
            throw new IllegalStateException("SVC_DEV is the line that svc-runtime dev --json prints", error);
        }
    }
}
