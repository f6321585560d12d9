package example;

import static org.springframework.security.config.Customizer.withDefaults;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** A client that people sign in to, and an API, in one program. */
@SpringBootApplication
@RestController
public class Shop {
    @GetMapping("/me")
    String me(@AuthenticationPrincipal OidcUser user) {
        return user.getFullName() + " " + user.getEmail();
    }

    @GetMapping("/orders")
    String orders() {
        return "no orders";
    }

    @Bean
    @Order(1)
    SecurityFilterChain api(HttpSecurity http) throws Exception {
        http.securityMatcher("/orders")
            .authorizeHttpRequests(requests -> requests.anyRequest().hasAuthority("SCOPE_orders:read"))
            .oauth2ResourceServer(server -> server.jwt(withDefaults()));
        return http.build();
    }

    @Bean
    SecurityFilterChain pages(HttpSecurity http) throws Exception {
        http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated()).oauth2Login(withDefaults());
        return http.build();
    }
}
